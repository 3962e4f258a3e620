import type { Tx } from '#database/database.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';

/** A push as it stands in the chain of its branch. */
export interface PushRow {
  [column: string]: unknown;
  id: string;
  version: number;
  before_sha: string | null;
  after_sha: string | null;
  pushed_at: Date;
  time_source: BranchPush['atKnown'];
  forced: 'yes' | 'no' | 'unknown';
  completeness: 'complete' | 'truncated' | 'lost' | 'recovered';
  source: 'webhook' | 'activity' | 'reconcile';
  commits?: number;
}

/** Of a push of more commits, only the newest are kept. */
export const maxCommitsPerPush = 10_000;

/** Whether telling a push again cannot add to what is kept of it. */
export const isKeptWhole = ({ completeness, commits = 0 }: PushRow): boolean =>
  completeness === 'complete' || (completeness === 'truncated' && commits >= maxCommitsPerPush);

// A push that goes back and forth between two commits is told apart by its time.
const sameWithin = 10 * 60 * 1000;
const apart = (row: PushRow, push: BranchPush): number => Math.abs(row.pushed_at.getTime() - Date.parse(push.at));

/** The row that is this push, told before, among those between the same two commits. */
export async function maybeSame(
  tx: Tx,
  orgId: string,
  { repositoryId, push, known }: { repositoryId: string; push: BranchPush; known: readonly PushRow[] },
): Promise<PushRow | undefined> {
  const rows = known
    .filter(({ completeness }) => completeness !== 'recovered')
    .sort((a, b) => apart(a, push) - apart(b, push));
  const near = rows.find((row) => row.completeness === 'lost' || apart(row, push) <= sameWithin);
  const [row] = rows;
  if (near || !row || !isListedAndReceived(row, push)) return near;
  // When a webhook came says little of when the push was, but a branch cannot come to a commit twice without leaving it.
  const left = await tx.query<{ id: string }>({
    name: 'changes.leftBetween',
    text: `select id from branch_push where org_id = $1 and repository_id = $2 and branch = $3 and before_sha is not distinct from $4
             and pushed_at between least($5::timestamptz, $6) and greatest($5::timestamptz, $6) limit 1`,
    values: [orgId, repositoryId, push.branch, push.after, row.pushed_at, push.at],
  });
  return left.length > 0 ? undefined : row;
}

/** Whether one was told by the host's own list, the other by a webhook that said no time. */
const isListedAndReceived = (row: PushRow, push: BranchPush): boolean =>
  (row.source === 'activity' && push.source === 'webhook' && push.atKnown === 'received') ||
  (push.source === 'activity' && row.source === 'webhook' && row.time_source === 'received');

/** The pushes between the same two commits, each as it is known now. */
export const knownOf = (
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { branch, before, after }: BranchPush,
): Promise<PushRow[]> =>
  tx.query<PushRow>({
    name: 'changes.samePush',
    text: `select distinct on (id) id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source,
             cardinality(commits) as commits from branch_push
           where org_id = $1 and repository_id = $2 and branch = $3
             and before_sha is not distinct from $4 and after_sha is not distinct from $5
           order by id, version desc`,
    values: [orgId, repositoryId, branch, before, after],
  });

// Hosts give the time of a push in whole seconds. Of pushes at the same time, the last is the one at whose end no other begins.
const lastPush = (name: string, condition: string) => ({
  name,
  text: `with candidate as (
           select id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source from branch_push
           where org_id = $1 and repository_id = $2 and branch = $3 and pushed_at <= $4::timestamptz and ${condition}
           order by pushed_at desc fetch first 1 row with ties)
         select c.* from candidate c
         order by exists (select from candidate n where n.before_sha = c.after_sha), id desc, version desc limit 1`,
});
/** The last push to a branch until a time. */
export const latest = lastPush('changes.lastPush', 'true');
/** The same without what a look at the branch made of pushes that were still on their way. */
export const latestTold = lastPush(
  'changes.lastTold',
  `completeness <> 'recovered' and not (completeness = 'lost' and source = 'reconcile')`,
);
/** Pushes to a branch that ended at a commit, each as it is known now. */
export const endingAt = {
  name: 'changes.endingAt',
  text: `select distinct on (id) id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source from branch_push
         where org_id = $1 and repository_id = $2 and branch = $3 and after_sha = $4
         order by id, version desc`,
};
/** Whether it says that at some time a branch stood where no push known by then had led. */
export const isLook = ({ completeness, source }: PushRow): boolean => completeness === 'lost' && source === 'reconcile';

/** Where a branch stood when it was first looked at with no push to it known; undefined where one was known by then. */
export async function maybeStart(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  branch: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ sha: string }>({
    name: 'changes.start',
    text: 'select sha from branch_start where org_id = $1 and repository_id = $2 and branch = $3',
    values: [orgId, repositoryId, branch],
  });
  return row?.sha;
}

/** What lies between the last push before this one, or where the branch started, and its beginning, where no known push leads there. */
export async function lostBefore(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { branch, before, after, at }: BranchPush,
): Promise<{ before: string | null; after: string } | undefined> {
  if (before === null) return undefined;
  const [last] = await tx.query<PushRow>({ ...latestTold, values: [orgId, repositoryId, branch, at] });
  const start = last ? undefined : await maybeStart(tx, orgId, repositoryId, branch);
  const stood = last ? last.after_sha : start;
  // A push that ends where the branch started was on its way when that was looked at.
  if (stood === undefined || stood === before || start === after) return undefined;
  const led = await tx.query<{ id: string }>({
    name: 'changes.ledTo',
    text: `select id from branch_push where org_id = $1 and repository_id = $2 and branch = $3
             and (after_sha = $4 and not (completeness = 'lost' and source = 'reconcile' and before_sha is distinct from $5)
               or (completeness = 'lost' and before_sha = $4)) limit 1`,
    values: [orgId, repositoryId, branch, before, stood],
  });
  return led.length > 0 ? undefined : { before: stood, after: before };
}

/**
 * Whether rows account for a stretch that was taken for lost: known pushes lead from its beginning to its end. Of what a look at the
 * branch made, all that came between was still on its way: there the stretches that were lost in between count, too. Where the
 * branch started, pushes that lead to it were on their way when that was looked at: nothing was lost before them.
 */
export function isCovered(lost: PushRow, rows: readonly PushRow[], start: string | undefined): boolean {
  const steps = rows.filter((row) =>
    row.completeness === 'lost'
      ? isLook(lost) && !isLook(row)
      : row.completeness === 'complete' || row.completeness === 'truncated',
  );
  if (leads(steps, lost.before_sha, lost.after_sha)) return true;
  if (lost.before_sha !== start) return false;
  const grown = rows.filter((row) => row !== lost && row.completeness !== 'recovered' && row.forced !== 'yes');
  return leads(grown, lost.after_sha, start);
}

/** Whether rows lead from a commit to another. */
export function leads(steps: readonly PushRow[], from: string | null, to: string | null): boolean {
  const next = Map.groupBy(steps, ({ before_sha }) => before_sha);
  const [seen, open] = [new Set<string | null>(), [from]];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { after_sha: after } of next.get(at) ?? []) {
      if (after === to) return true;
      if (!seen.has(after)) open.push(after);
      seen.add(after);
    }
  }
  return false;
}
