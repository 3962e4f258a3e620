import type { Parameter } from '@sightline/contract/events.ts';
import type { ExploreQuery } from './exploreQuery.ts';

/**
 * What a click on a thing named in a sentence adds to the address: a filter of its own where there is one, else a
 * word. undefined: it cannot be filtered by, or not excluded.
 */
export function entityFilter(
  { kind, ident, display, data }: Parameter,
  query: ExploreQuery,
  exclude: boolean,
): Partial<ExploreQuery> | undefined {
  if (ident === '') return undefined;
  if (exclude) return excluding(kind, ident, query);
  if (kind === 'user') return { actor: ident };
  if (kind === 'repository') return { repo: [ident], ...(query.repo[0] === ident ? {} : { pr: undefined }) };
  if (kind === 'pr' && typeof data?.repository === 'string') return { repo: [data.repository], pr: Number(ident) };
  if (kind === 'tool') return { tool: ident };
  const word = kind === 'sha' || kind === 'commit' ? ident.slice(0, 7) : display;
  const words = query.query.split(/\s+/).filter((known) => known !== '');
  return { query: words.includes(word) ? query.query : [...words, word].join(' ') };
}

function excluding(
  kind: Parameter['kind'],
  ident: string,
  { without }: ExploreQuery,
): Partial<ExploreQuery> | undefined {
  const name = kind === 'user' ? 'actor' : kind === 'repository' ? 'repo' : undefined;
  // A comma would end the entry in the address.
  if (name === undefined || ident.includes(',')) return undefined;
  return { without: [...new Set([...without, `${name}:${ident}`])] };
}
