import type { FindingFilter, findingFormats } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Actor } from '#core/actor.ts';
import { linesOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { withoutLead } from '../cells.ts';
import { leaves, sumOf } from '../lanes.ts';
import type { List } from '../list.ts';
import { walksOf } from '../pages.ts';
import { listOf } from '../queries.ts';
import { toolNames } from '../rows.ts';
import { type FindingCursor, placesAfter } from '../walk.ts';
import { columnsWith } from './columns.ts';
import { type FindingLine, findLines } from './lines.ts';
import { type SarifRun, sarifOf } from './sarif.ts';

/** The findings of a list, as a file. */
export async function exportFindings(
  services: Services,
  actor: Actor,
  { format, ...filter }: FindingFilter & { format: (typeof findingFormats)[number] },
): Promise<FileAnswer> {
  const { orgId } = actor;
  const { list, names, fileOf } = await services.database.withOrg(orgId, async (tx) => {
    const asked = await listOf(tx, actor, { ...filter, sort: 'severity-desc' });
    const list: List =
      asked.cells.cells.length > fewCells ? { ...asked, cells: await coarse(tx, asked, filter) } : asked;
    const { search, ...narrowing } = filter;
    const fileOf = await recordExport(tx, services, actor, {
      of: 'vulnerabilities',
      format,
      entry: {
        action: 'finding.exported',
        subject: { kind: 'organization', id: orgId },
        data: {
          format,
          findings: sumOf(list.cells.cells),
          ...Object.fromEntries(Object.entries(narrowing).filter(([, values]) => values.length > 0)),
          ...(search !== '' && { search }),
        },
      },
    });
    return { list, names: await toolNames(tx, orgId), fileOf };
  });
  const linkOf = (id: string) => `${services.config.PUBLIC_URL}/vulnerabilities/${id}`;
  const text =
    format === 'sarif'
      ? sarifOf(runsOf(services, list, names), linkOf)
      : linesOf(format, columnsWith(linkOf), batches(services, list, null));
  return fileOf(text, sumOf(list.cells.cells));
}

// Each batch counts its lanes anew where there are too many to merge.
const fewCells = 100;

const coarse = async (tx: Parameters<typeof withoutLead>[0], { scope }: List, filter: FindingFilter) => {
  const { lead, cells } = await withoutLead(tx, scope);
  return { lead, cells: cells.filter(leaves(filter)) };
};

/** A run for each scanner that saw a finding first by its name, so that every finding is in one of them. */
function runsOf(services: Services, list: List, names: ReadonlyMap<string, string>): SarifRun[] {
  const byTool = Map.groupBy(list.cells.cells, ({ lane }) => lane.tools[0] ?? '');
  return [...byTool].map(([tool, cells]) => ({
    name: names.get(tool) ?? tool,
    batches: batches(services, { ...list, cells: { lead: list.cells.lead, cells } }, tool),
  }));
}

const batch = 1000;

// Each batch is a transaction of its own: a slow reader holds no connection. What changes its status meanwhile may be
// missing, as it would be a moment later.
async function* batches({ database }: Services, list: List, tool: string | null): AsyncGenerator<FindingLine[]> {
  const { orgId } = list.scope;
  for (const walk of walksOf(list)) {
    if (walk.cells.cells.length === 0) continue;
    for (let after: FindingCursor | undefined, begun = false; !begun || after !== undefined; begun = true) {
      const from = after;
      const { lines, places } = await database.withOrg(orgId, async (tx) => {
        const places = await placesAfter(tx, walk, from, batch);
        const ids = places.map(({ id }) => id);
        return { places, lines: await findLines(tx, orgId, ids, tool) };
      });
      if (lines.length > 0) yield lines;
      after = places.length < batch ? undefined : places.at(-1);
    }
  }
}
