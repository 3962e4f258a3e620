import type { Tx } from '#database/database.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import type { StoredPushState } from './push-states.ts';

/** A push in the chain of its branch. */
export interface PushRow {
  [column: string]: unknown;
  id: string;
  version: number;
  before_sha: string | null;
  after_sha: string | null;
  pushed_at: Date;
  time_source: BranchPush['atKnown'];
  forced: 'yes' | 'no' | 'unknown';
  completeness: StoredPushState;
  source: 'webhook' | 'activity' | 'reconcile';
  activity: BranchPush['activity'];
  commits?: number;
}

/** Of a larger push, only the newest commits are stored. */
export const MAX_COMMITS_PER_PUSH = 10_000;

/** State of a stored push for another report. One at the limit of commits counts as complete: a report adds none to it. */
export const stateForReports = ({ completeness, commits = 0 }: PushRow): StoredPushState =>
  completeness === 'truncated' && commits >= MAX_COMMITS_PER_PUSH ? 'complete' : completeness;

// Pushes between the same two commits differ by time.
const SAME_PUSH_WITHIN_MS = 10 * 60 * 1000;
const timeDifferenceMs = (row: PushRow, push: BranchPush): number =>
  Math.abs(row.pushed_at.getTime() - Date.parse(push.at));

/** Finds the stored row of this push among those between the same two commits. */
export async function maybeSamePush(
  tx: Tx,
  orgId: string,
  { repositoryId, push, known }: { repositoryId: string; push: BranchPush; known: readonly PushRow[] },
): Promise<PushRow | undefined> {
  const rows = known
    .filter(({ completeness }) => completeness !== 'recovered')
    .sort((a, b) => timeDifferenceMs(a, push) - timeDifferenceMs(b, push));
  const near = rows.find((row) => row.completeness === 'lost' || timeDifferenceMs(row, push) <= SAME_PUSH_WITHIN_MS);
  const [row] = rows;
  if (near || !row || !isListedAndReceived(row, push)) return near;
  // The time of receipt is imprecise, but a branch can reach a commit twice only if it left it in between.
  const departures = await tx.query<{ id: string }>({
    name: 'changes.leftBetween',
    text: `select id from branch_push where org_id = $1 and repository_id = $2 and branch = $3 and before_sha is not distinct from $4
             and pushed_at between least($5::timestamptz, $6) and greatest($5::timestamptz, $6) limit 1`,
    values: [orgId, repositoryId, push.branch, push.after, row.pushed_at, push.at],
  });
  return departures.length > 0 ? undefined : row;
}

/** Whether the activity list of the host reported one, and a webhook without a time the other. */
const isListedAndReceived = (row: PushRow, push: BranchPush): boolean =>
  (row.source === 'activity' && push.source === 'webhook' && push.atKnown === 'received') ||
  (push.source === 'activity' && row.source === 'webhook' && row.time_source === 'received');

// Each push in its latest version: rows are appended, and `distinct on` takes the first of each ID in this order.
const pushColumns =
  'id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source, activity';
const latestVersions = 'order by id, version desc';
/** $1 organization, $2 repository, $3 branch. */
const ofBranch = 'org_id = $1 and repository_id = $2 and branch = $3';

/** The pushes between the same two commits, each in its latest version. */
// Plan: index scan of the pushes of the branch, filtered by their commits, and a sort of the few that match.
export const pushesBetween = (
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { branch, before, after }: BranchPush,
): Promise<PushRow[]> =>
  tx.query<PushRow>({
    name: 'changes.samePush',
    text: `select distinct on (id) ${pushColumns}, cardinality(commits) as commits from branch_push
           where ${ofBranch} and before_sha is not distinct from $4 and after_sha is not distinct from $5
           ${latestVersions}`,
    values: [orgId, repositoryId, branch, before, after],
  });

// Hosts report push times in seconds. Of pushes at the same time, the last is the one at whose end no other starts.
// Plan: `newest` walks the index of the branch backward in time and stops behind its first time; those few rows are
// then compared with each other.
const lastPush = (name: string, condition: string) => ({
  name,
  text: `with newest as (
           select ${pushColumns} from branch_push
           where ${ofBranch} and pushed_at <= $4::timestamptz and ${condition}
           order by pushed_at desc fetch first 1 row with ties)
         select n.* from newest n
         order by exists (select from newest later where later.before_sha = n.after_sha), id desc, version desc limit 1`,
});
/** The last push to a branch until a time. */
export const latestPushSql = lastPush('changes.lastPush', 'true');
/** The same without losses that a branch check inferred while pushes were in transit. */
export const latestReportedPushSql = lastPush(
  'changes.lastReportedPush',
  `completeness <> 'recovered' and not (completeness = 'lost' and source = 'reconcile')`,
);
/** Pushes to a branch that ended at a commit, each in its latest version. */
export const pushesEndingAtSql = {
  name: 'changes.endingAt',
  text: `select distinct on (id) ${pushColumns} from branch_push where ${ofBranch} and after_sha = $4 ${latestVersions}`,
};
/** Whether a branch check inferred the row: the branch was at a commit that no known push had reached. */
export const isFromBranchCheck = ({ completeness, source }: PushRow): boolean =>
  completeness === 'lost' && source === 'reconcile';

/** The head of a branch at its first check; undefined if a push was known by then. */
export async function maybeBranchStart(
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

/**
 * Returns the gap between the preceding push, or the branch start, and the start of this push. Undefined if a known
 * push leads there.
 */
export async function gapBefore(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { branch, before, after, at }: BranchPush,
): Promise<{ before: string | null; after: string } | undefined> {
  if (before === null) return undefined;
  const [last] = await tx.query<PushRow>({ ...latestReportedPushSql, values: [orgId, repositoryId, branch, at] });
  const start = last ? undefined : await maybeBranchStart(tx, orgId, repositoryId, branch);
  const previous = last ? last.after_sha : start;
  // A push that ends at the branch start was in transit at the first check.
  if (previous === undefined || previous === before || start === after) return undefined;
  const leading = await tx.query<{ id: string }>({
    name: 'changes.ledTo',
    text: `select id from branch_push where org_id = $1 and repository_id = $2 and branch = $3
             and (after_sha = $4 and not (completeness = 'lost' and source = 'reconcile' and before_sha is distinct from $5)
               or (completeness = 'lost' and before_sha = $4)) limit 1`,
    values: [orgId, repositoryId, branch, before, previous],
  });
  return leading.length > 0 ? undefined : { before: previous, after: before };
}

/**
 * Whether known pushes lead from the start to the end of a gap. For a gap that a branch check inferred, the losses in
 * between count too, because pushes were in transit. A gap after the branch start is covered by pushes that lead to
 * that start.
 */
export function isGapCovered(lost: PushRow, rows: readonly PushRow[], start: string | undefined): boolean {
  const steps = rows.filter((row) =>
    row.completeness === 'lost'
      ? isFromBranchCheck(lost) && !isFromBranchCheck(row)
      : row.completeness === 'complete' || row.completeness === 'truncated',
  );
  if (hasPath(steps, lost.before_sha, lost.after_sha)) return true;
  if (lost.before_sha !== start) return false;
  const grown = rows.filter((row) => row !== lost && row.completeness !== 'recovered' && row.forced !== 'yes');
  return hasPath(grown, lost.after_sha, start);
}

/** Whether pushes lead from one commit to another. */
export function hasPath(steps: readonly PushRow[], from: string | null, to: string | null): boolean {
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
