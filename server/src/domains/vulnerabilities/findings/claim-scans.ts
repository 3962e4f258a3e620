import type { Tx } from '#database/database.ts';
import { deleteStagedResults } from './staging.ts';

/** Maximum number of interrupted imports before an upload counts as failed. */
const MAX_ATTEMPTS = 3;

/**
 * Claims the unfinished scans of an upload for another import, after 30 seconds without a heartbeat of their process.
 * Deletes the staged results and returns the number of the attempt.
 */
export async function claimScans(
  tx: Tx,
  orgId: string,
  uploadId: string,
): Promise<{ attempt: number } | 'running' | 'ended' | 'exhausted'> {
  const unfinished = `from scan where org_id = $1 and upload_id = $2 and state in ('receiving', 'matching')`;
  const values = [orgId, uploadId];
  const [all] = await tx.query<{ count: number }>({
    name: 'scans.unfinished',
    text: `select count(*)::int as count ${unfinished}`,
    values,
  });
  if (!all || all.count === 0) return 'ended';
  // A scan that is being matched is locked by its process, however long that takes.
  const scans = await tx.query<{ id: string; attempt: number }>({
    name: 'scans.stale',
    text: `select id, attempt ${unfinished} and touched_at < clock_timestamp() - interval '30 seconds' for update skip locked`,
    values,
  });
  if (scans.length < all.count) return 'running';
  const attempt = Math.max(...scans.map((scan) => scan.attempt)) + 1;
  if (attempt > MAX_ATTEMPTS) return 'exhausted';
  await receiveAgain(
    tx,
    orgId,
    scans.map(({ id }) => id),
    attempt,
  );
  return { attempt };
}

/** Deletes the staged results of scans that this import could not match, so that it can receive them again. */
export async function restartScans(
  tx: Tx,
  orgId: string,
  { ids, attempt }: { ids: readonly string[]; attempt: number },
): Promise<void> {
  const scans = await tx.query({
    name: 'scans.restart',
    text: `select from scan where org_id = $1 and id = any($2::uuid[]) and state = 'matching' and attempt = $3 for update`,
    values: [orgId, ids, attempt],
  });
  if (scans.length < ids.length) throw new Error('The scan has ended already');
  await receiveAgain(tx, orgId, ids, attempt);
}

async function receiveAgain(tx: Tx, orgId: string, ids: readonly string[], attempt: number): Promise<void> {
  await tx.query({
    name: 'scans.claim',
    text: `update scan set state = 'receiving', received = 0, rejections = 0, rejected = '[]', attempt = $3, touched_at = clock_timestamp()
           where org_id = $1 and id = any($2::uuid[])`,
    values: [orgId, ids, attempt],
  });
  await deleteStagedResults(tx, orgId, ids);
}
