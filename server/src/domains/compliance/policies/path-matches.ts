import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { type ChangedPaths, matchPaths } from '../changes/rows.ts';
import type { ActivePolicy } from './effective.ts';

/** Returns a change with its files compared with the patterns of the given policies, as far as its files are stored. */
export function withPathMatches(
  row: PopulationRow,
  policies: readonly ActivePolicy[],
  paths: ReadonlyMap<string, ChangedPaths>,
): PopulationRow {
  const found = paths.get(row.subject.replace(/^change:/, ''));
  if (!found) return row;
  const patterns = policies.flatMap(({ settings }) => {
    const own = settings['AI-01']?.protectedPaths;
    return Array.isArray(own) ? own : [];
  });
  return Object.assign({}, row, { pathMatches: matchPaths([...new Set(patterns)], found) });
}
