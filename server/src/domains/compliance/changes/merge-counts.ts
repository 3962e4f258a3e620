import type { Tx } from '#database/database.ts';
import type { RecordedRepository } from './scope.ts';

type Approval = 'yes' | 'no' | 'unknown';

/** What decides whether and how a version of a change record counts as a merge. */
export interface MergeVersion {
  mergeMethod: string;
  number: number | null;
  pushId: string | null;
  approval: string;
}

/**
 * Counts a new version of a change record in `merge_count`, instead of the version before it. Used by `addChangeVersion`
 * in the transaction that adds the version, so that the trend of approvals reads no record.
 */
export async function countMerge(
  tx: Tx,
  { orgId, repositoryId }: Pick<RecordedRepository, 'orgId' | 'repositoryId'>,
  { mergedAt, before, after }: { mergedAt: string; before: MergeVersion | undefined; after: MergeVersion },
): Promise<void> {
  const [was, is] = [before && approvalOfMerge(before), approvalOfMerge(after)];
  if (was === is) return;
  const changeOf = (approval: Approval) => Number(is === approval) - Number(was === approval);
  await tx.query({
    name: 'changes.countMerge',
    text: `insert into merge_count as c (org_id, repository_id, week, yes, no, unknown)
           values ($1, $2, date_trunc('week', $3::timestamptz at time zone 'UTC')::date, $4, $5, $6)
           on conflict (org_id, week, repository_id) do update
           set yes = c.yes + excluded.yes, no = c.no + excluded.no, unknown = c.unknown + excluded.unknown`,
    values: [orgId, repositoryId, mergedAt, changeOf('yes'), changeOf('no'), changeOf('unknown')],
  });
}

// A pull request counts by its own record, and not by the push that a later version attributes to it.
const approvalOfMerge = ({ mergeMethod, number, pushId, approval }: MergeVersion): Approval | undefined =>
  (mergeMethod === 'pull_request' || mergeMethod === 'merge_queue') && (pushId === null || number === null)
    ? (approval as Approval)
    : undefined;
