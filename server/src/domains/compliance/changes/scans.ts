import type { Change } from '@sightline/contract/compliance/changes.ts';
import type { Tx } from '#database/database.ts';
import type { ChangeRecord } from './list.ts';

type Scans = NonNullable<Change['scans']>;

interface ScanRunRow {
  [column: string]: unknown;
  tool: string;
  name: string;
  category: string;
  commit: string;
  ref: string;
  finishedAt: Date;
  added: number;
  closed: number;
  since: string | null;
  /** The start of the push that made the change. */
  base: string | null;
}

/**
 * The findings that scanners added and closed by a change: the run of each scanner on the merge commit, compared with
 * its preceding run on the ref. If that run was not at the base of the change, other changes count too. Without such a
 * run, the run on the head.
 */
export async function scansOfChange(tx: Tx, orgId: string, row: ChangeRecord): Promise<Scans> {
  const shas = [row.merge_sha, row.head_sha].filter((sha) => sha !== null);
  const runs = await tx.query<ScanRunRow>({
    name: 'changes.scans',
    text: `select s.tool, s.tool_name as name, s.category, s.commit_sha as commit, s.ref, s.finished_at as "finishedAt",
             coalesce((s.counts->>'new')::int, 0) + coalesce((s.counts->>'reopened')::int, 0) as added,
             coalesce((s.counts->>'fixed')::int, 0) as closed,
             (select p.commit_sha from scan p where p.org_id = $1 and p.repository_id = $2 and p.analysis = s.analysis and p.state = 'done'
                and p.complete and p.received_at < s.received_at order by p.received_at desc limit 1) as since,
             (select b.before_sha from branch_push b where b.org_id = $1 and b.repository_id = $2 and b.branch = $4 and b.after_sha = $5
                order by b.version desc limit 1) as base
           from scan s
           where s.org_id = $1 and s.repository_id = $2 and s.commit_sha = any($3::text[]) and s.state = 'done' and s.complete
             and s.finished_at is not null and s.received_at > $6::timestamptz
           order by s.finished_at desc, s.id desc limit 200`,
    // Scans long before the merge are excluded.
    values: [orgId, row.repository_id, shas, row.branch, row.merge_sha, new Date(row.merged_at.getTime() - 90 * day)],
  });
  const latest = [...Map.groupBy(runs, ({ tool, category }) => `${tool} ${category}`).values()].flatMap(
    (of) => of.find(({ commit }) => commit === row.merge_sha) ?? of[0] ?? [],
  );
  return {
    runs: latest
      .map(({ tool, name, commit, ref, finishedAt, added, closed, since, base }) => ({
        tool: { id: tool, name },
        commit,
        ref,
        finishedAt: finishedAt.toISOString(),
        added,
        closed,
        since,
        on: commit === row.merge_sha ? ('merge' as const) : ('head' as const),
        isSinceBase: commit === row.merge_sha && since !== null && since === base,
      }))
      .toSorted((one, other) => one.tool.name.localeCompare(other.tool.name)),
    reason: latest.length > 0 ? null : await missingScanReason(tx, orgId, row, shas),
  };
}

const day = 24 * 3_600_000;

async function missingScanReason(
  tx: Tx,
  orgId: string,
  { repository_id: repositoryId }: ChangeRecord,
  shas: readonly string[],
): Promise<Scans['reason']> {
  const [found] = await tx.query<{ any: boolean; failed: boolean }>({
    name: 'changes.scannersOf',
    text: `select exists (select from scan_latest l where l.org_id = $1 and l.repository_id = $2) as any,
             exists (select from scan s where s.org_id = $1 and s.repository_id = $2 and s.commit_sha = any($3::text[])
               and s.state = 'failed') as failed`,
    values: [orgId, repositoryId, shas],
  });
  return found?.failed ? 'failed' : found?.any ? 'no_run' : 'no_scanner';
}
