import { type findingFormats, mergeScannerFilters } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Actor } from '#core/actor.ts';
import { exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { countLaneCellsWithoutLead } from '../cells.ts';
import { type FindingCursor, listCursorsAfter } from '../cursor-pagination.ts';
import { type LaneFilter, laneCellPredicate, sumLaneCells } from '../lanes.ts';
import type { FindingList } from '../list.ts';
import { listSortedSections } from '../pages.ts';
import { findingListOf } from '../queries.ts';
import { loadScannerNames } from '../rows.ts';
import { type RequestedFilter, resolveFilter } from '../scope.ts';
import { findingColumns } from './columns.ts';
import { type FindingLine, findFindingLines } from './lines.ts';
import { type SarifRun, serializeSarif } from './sarif.ts';

/** Exports the findings of a list as a file and records the export. */
export async function exportFindings(
  services: Services,
  actor: Actor,
  { format, ...requested }: RequestedFilter & { format: (typeof findingFormats)[number] },
): Promise<FileAnswer> {
  const { orgId } = actor;
  const { list, names, fileOf } = await services.database.withOrg(orgId, async (tx) => {
    const filter = await resolveFilter(services, tx, actor, requested);
    const found = await findingListOf(tx, actor, { ...filter, sort: 'severity-desc' });
    const list: FindingList =
      found.cells.cells.length > MAX_CELLS ? { ...found, cells: await cellsWithoutLead(tx, found, filter) } : found;
    const given = Object.entries(mergeScannerFilters(requested)).filter(
      ([, value]) => value !== undefined && value.length > 0,
    );
    const fileOf = await recordExport(tx, services, actor, {
      of: 'vulnerabilities',
      format,
      entry: {
        action: 'finding.exported',
        subject: { kind: 'organization', id: orgId },
        data: {
          format,
          findings: sumLaneCells(list.cells.cells),
          ...Object.fromEntries(given),
        },
      },
    });
    return { list, names: await loadScannerNames(tx, orgId), fileOf };
  });
  const linkOf = (id: string) => `${services.config.PUBLIC_URL}/vulnerabilities/${id}`;
  const text =
    format === 'sarif'
      ? serializeSarif(runsOf(services, list, names), linkOf)
      : exportTextOf(format, findingColumns(linkOf), batches(services, list, null));
  return fileOf(text, sumLaneCells(list.cells.cells));
}

// Above this number of cells, each batch would count its lanes again.
const MAX_CELLS = 100;

const cellsWithoutLead = async (
  tx: Parameters<typeof countLaneCellsWithoutLead>[0],
  { scope }: FindingList,
  filter: LaneFilter,
) => {
  const { lead, cells } = await countLaneCellsWithoutLead(tx, scope);
  return { lead, cells: cells.filter(laneCellPredicate(filter)) };
};

/** Creates a run for each scanner, so that every finding is in exactly one: in the run of its first scanner by name. */
function runsOf(services: Services, list: FindingList, names: ReadonlyMap<string, string>): SarifRun[] {
  const byTool = Map.groupBy(list.cells.cells, ({ lane }) => lane.tools[0] ?? '');
  return [...byTool].map(([tool, cells]) => ({
    name: names.get(tool) ?? tool,
    batches: batches(services, { ...list, cells: { lead: list.cells.lead, cells } }, tool),
  }));
}

const BATCH_SIZE = 1000;

// Each batch is its own transaction, so that a slow reader holds no connection. A finding whose status changes in
// between may be missing.
async function* batches(services: Services, list: FindingList, tool: string | null): AsyncGenerator<FindingLine[]> {
  const { orgId } = list.scope;
  for (const section of listSortedSections(list)) {
    if (section.cells.cells.length === 0) continue;
    for (let after: FindingCursor | undefined, begun = false; !begun || after !== undefined; begun = true) {
      const from = after;
      const { lines, cursors } = await services.database.withOrg(orgId, async (tx) => {
        const cursors = await listCursorsAfter(tx, section, from, BATCH_SIZE);
        const ids = cursors.map(({ id }) => id);
        return {
          cursors,
          lines: await findFindingLines(services, tx, { orgId, ids, tool }),
        };
      });
      if (lines.length > 0) yield lines;
      after = cursors.length < BATCH_SIZE ? undefined : cursors.at(-1);
    }
  }
}
