import { severities } from '@sightline/contract/core/severities.ts';
import type { Tx } from '#database/database.ts';
import {
  containsFinding,
  countBeforeCursor,
  listCursorsAfter,
  listSortedIds,
  type SortedFindings,
} from './cursor-pagination.ts';
import { countBySeverity, sumLaneCells } from './lanes.ts';
import type { FindingList, FindingSortFields } from './list.ts';
import { countBeforeTitle, listFindingIdsByTitle } from './names.ts';

/** Returns the finding IDs of one part of a list, at most `limit` after the first `offset`. */
export async function listFindingIds(tx: Tx, list: FindingList, offset: number, limit: number): Promise<string[]> {
  if (list.sort === 'name-asc' || list.sort === 'name-desc') return listFindingIdsByTitle(tx, list, offset, limit);
  const ids: string[] = [];
  let passed = 0;
  for (const section of listSortedSections(list)) {
    const size = sumLaneCells(section.cells.cells);
    const from = Math.max(0, offset - passed);
    if (from < size && ids.length < limit)
      ids.push(...(await listSortedIds(tx, section, { offset: from, limit: limit - ids.length })));
    passed += size;
  }
  return ids;
}

/** Counts the findings of a list before a finding, which need not be in the list itself. */
export async function countBeforeFinding(tx: Tx, list: FindingList, finding: FindingSortFields): Promise<number> {
  const { scope, cells, sort } = list;
  const { at, id } = finding;
  if (sort === 'name-asc' || sort === 'name-desc') {
    const { before, same } = await countBeforeTitle(tx, list, finding);
    return before + (await countBeforeCursor(tx, { scope, cells: same, oldestFirst: false }, { at, id }));
  }
  const counts = countBySeverity(cells.cells);
  const order = sort === 'severity-asc' ? severities.toReversed() : severities;
  const position = sort.startsWith('date') ? 0 : order.indexOf(severities[finding.severity] ?? 'info');
  const before = order.slice(0, position).reduce((sum, severity) => sum + counts[severity], 0);
  const section = listSortedSections(list, finding.severity)[0];
  return before + (section ? await countBeforeCursor(tx, section, { at, id }) : 0);
}

interface Neighbors {
  previous: string | null;
  next: string | null;
  isInList: boolean;
}

/** Returns the findings beside the position of a finding, which need not be in the list itself. `rank`: see above. */
export async function findNeighbors(
  tx: Tx,
  list: FindingList,
  finding: FindingSortFields,
  rank: number,
): Promise<Neighbors> {
  if (list.sort === 'name-asc' || list.sort === 'name-desc') {
    const around = await listFindingIds(tx, list, Math.max(0, rank - 1), 3);
    const [first, second] = rank === 0 ? around : around.slice(1);
    const isInList = first === finding.id;
    return { previous: rank === 0 ? null : (around[0] ?? null), next: (isInList ? second : first) ?? null, isInList };
  }
  const sections = listSortedSections(list);
  const own = sections.length === 1 ? 0 : sections.findIndex(({ severity }) => severity === finding.severity);
  const firstOf = async (from: readonly SortedFindings[]) => {
    for (const [index, section] of from.entries()) {
      const [one] = await listCursorsAfter(tx, section, index === 0 ? finding : undefined, 1);
      if (one) return one.id;
    }
    return null;
  };
  const backwards = sections.map((section) => ({ ...section, oldestFirst: !section.oldestFirst })).toReversed();
  const section = sections[own];
  return {
    previous: await firstOf(backwards.slice(sections.length - 1 - own)),
    next: await firstOf(sections.slice(own)),
    isInList: section !== undefined && (await containsFinding(tx, section, finding.id)),
  };
}

/** The consecutive sorted sections of a list: one for each severity, or one for all. */
export function listSortedSections(
  { scope, cells, sort }: FindingList,
  severity?: number,
): (SortedFindings & { severity: number | undefined })[] {
  if (sort === 'date-desc' || sort === 'date-asc')
    return [{ scope, cells, oldestFirst: sort === 'date-asc', severity: undefined }];
  const order = sort === 'severity-asc' ? severities.toReversed() : severities;
  return order
    .filter((one) => severity === undefined || one === severities[severity])
    .map((one) => ({
      scope,
      cells: { lead: cells.lead, cells: cells.cells.filter(({ lane }) => lane.severity === one) },
      oldestFirst: false,
      severity: severities.indexOf(one),
    }));
}
