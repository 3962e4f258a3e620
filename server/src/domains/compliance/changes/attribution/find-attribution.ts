import type { Attribution } from '@sightline/contract/compliance/changes.ts';
import type { Tx } from '#database/database.ts';
import { countLines } from './attribution-claim.ts';

interface RangeRow {
  [column: string]: unknown;
  commit: string;
  path: string | null;
  from: number | null;
  to: number | null;
  agent: string;
  model: string | null;
  source: Attribution['agents'][number]['source'];
  confidence: Attribution['agents'][number]['confidence'];
  carried: boolean;
}

const MAX_ROWS = 10_000;
const MAX_FILES = 100;
const MAX_RANGES = 50;

/** Returns the attributions of a change, by agent and by file. */
export async function findAttribution(
  tx: Tx,
  orgId: string,
  change: { id: string; repository_id: string; number: number | null; push_id: string | null },
): Promise<Attribution> {
  const rows = await tx.query<RangeRow>({
    name: 'changes.attribution',
    text: `select commit_sha as commit, path, lower(lines) as "from", upper(lines) - 1 as "to", agent, model, source, confidence,
             carried_from is not null as carried
           from ai_attribution where org_id = $1 and change_id = $2 order by path, id limit ${MAX_ROWS}`,
    values: [orgId, change.id],
  });
  const files = [...Map.groupBy(rows.filter(isFileRange), ({ path }) => path)]
    .map(([path, ranges]) => ({ path, ranges, lines: linesOf(ranges) }))
    .toSorted((one, other) => other.lines - one.lines || (one.path < other.path ? -1 : 1));
  const sure = rows.filter(({ confidence }) => confidence !== 'inferred').filter(isFileRange);
  const added = sure.length === 0 ? null : await addedLines(tx, orgId, change);
  return {
    agents: agentsIn(rows),
    files: files.slice(0, MAX_FILES).map(({ path, lines, ranges }) => ({
      path,
      lines,
      ranges: ranges
        .toSorted((one, other) => one.from - other.from || one.to - other.to)
        .slice(0, MAX_RANGES)
        .map(({ from, to, commit, agent, confidence }) => ({ from, to, commit, agent, confidence })),
    })),
    fileCount: files.length,
    share: added === null ? null : { lines: Math.min(added, linesOf(sure)), of: added },
    sources: await readingsOf(tx, orgId, change.id),
  };
}

type FileRange = RangeRow & { path: string; from: number; to: number };
const isFileRange = (row: RangeRow): row is FileRange => row.path !== null && row.from !== null && row.to !== null;

/** Counts each line of a file in a commit once. */
const linesOf = (ranges: readonly FileRange[]): number =>
  [...Map.groupBy(ranges, ({ commit, path }) => `${commit} ${path}`).values()].reduce(
    (sum, of) => sum + countLines(of),
    0,
  );

function agentsIn(rows: readonly RangeRow[]): Attribution['agents'] {
  const groups = Map.groupBy(rows, ({ agent, model, source, confidence, carried }) =>
    JSON.stringify([agent, model, source, confidence, carried]),
  );
  return [...groups.values()]
    .flatMap((of) => {
      const [first] = of;
      if (!first) return [];
      const { agent, model, source, confidence, carried } = first;
      const paths = new Set(of.flatMap(({ path }) => path ?? []));
      const commits = new Set(of.map(({ commit }) => commit)).size;
      const lines = linesOf(of.filter(isFileRange));
      return [{ agent, model, source, confidence, carried, commits, files: paths.size, lines }];
    })
    .toSorted((one, other) => other.lines - one.lines || one.agent.localeCompare(other.agent));
}

/** Number of lines that a change added; null if the host did not report it. */
async function addedLines(
  tx: Tx,
  orgId: string,
  change: { repository_id: string; number: number | null; push_id: string | null },
): Promise<number | null> {
  const [row] = await tx.query<{ added: number | null }>({
    name: 'changes.added',
    text: `select case when $3::int is not null then
             (select p.additions from pull_request p where p.org_id = $1 and p.repository_id = $2 and p.number = $3)
           else (select case when bool_and(c.additions is not null) then sum(c.additions)::int end
             from (select distinct r.sha from reached_commit r where r.org_id = $1 and r.push_id = $4 and r.reached_by = 'none') reached
             left join commit c on c.org_id = $1 and c.repository_id = $2 and c.sha = reached.sha) end as added`,
    values: [orgId, change.repository_id, change.number, change.push_id],
  });
  return row?.added ?? null;
}

async function readingsOf(tx: Tx, orgId: string, id: string): Promise<Attribution['sources']> {
  const rows = await tx.query<Omit<Attribution['sources'][number], 'readAt'> & { readAt: Date }>({
    name: 'changes.readingsOf',
    text: `select source, read_at as "readAt", records, malformed, unmatched, dropped as "dropped", foreign_lines as "foreign"
           from attribution_reading where org_id = $1 and change_id = $2 order by source`,
    values: [orgId, id],
  });
  return rows.map((row) => ({ ...row, readAt: row.readAt.toISOString() }));
}
