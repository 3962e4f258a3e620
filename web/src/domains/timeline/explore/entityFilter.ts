import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { withValue, withWords } from '@sightline/contract/timeline/query-language/edit.ts';
import type { Key } from '@sightline/contract/timeline/query-language/keys.ts';

/**
 * Returns the query after a click on an entity, which filters by it or excludes it. Undefined for an entity that no
 * qualifier matches.
 */
export function queryFilteredBy(
  { kind, ident, display, data }: Parameter,
  query: string,
  options: { exclude: boolean },
): string | undefined {
  if (ident === '') return undefined;
  if (kind === 'text' || kind === 'number') return withWords(query, display, options);
  if (kind === 'pr' && typeof data?.repository === 'string' && !options.exclude)
    return withValue(withValue(query, 'repo', data.repository), 'pr', ident);
  return withValue(query, keys[kind], ident, options);
}

const keys: Record<Exclude<Parameter['kind'], 'text' | 'number'>, Key> = {
  user: 'actor',
  pr: 'pr',
  repository: 'repo',
  branch: 'branch',
  sha: 'sha',
  commit: 'sha',
  file: 'file',
  website: 'site',
  browser: 'browser',
  data_source: 'tool',
  tool: 'tool',
};
