import { type ChangeSource, changeRecordId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'changes.record': { orgId: string };
    /** Reads the pushes of a repository again, if the host has a list. */
    'changes.import-pushes': { orgId: string; repositoryId: string };
  }
}

/** Why a record is built or rebuilt. */
export type ChangeCause =
  | 'merge'
  | 'push'
  | 'review'
  | 'check'
  | 'identity'
  | 'retry'
  | 'reconcile'
  | 'session'
  | 'ticket';

export interface DueChange {
  id: string;
  repositoryId: string;
  of: ChangeSource;
  cause: ChangeCause;
  attempt: number;
}

/**
 * Queues the record of a change for the job `changes.record`, in the transaction that stores its cause. A queued record
 * becomes due immediately.
 */
export async function queueChange(
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, change, cause }: { repositoryId: string; change: ChangeSource; cause: ChangeCause },
): Promise<void> {
  await tx.query({
    name: 'changes.due',
    text: `insert into change_task as d (org_id, id, repository_id, number, push_id, cause) values ($1, $2, $3, $4, $5, $6)
           on conflict (org_id, id) do update set due_at = excluded.due_at, cause = excluded.cause, attempt = 0`,
    values: [
      orgId,
      changeRecordId(repositoryId, change),
      repositoryId,
      'number' in change ? change.number : null,
      'pushId' in change ? change.pushId : null,
      cause,
    ],
  });
  await enqueueDueChanges(services, tx, orgId);
}

/** Starts the job `changes.record` now, when a record is queued or due ones remain. */
export const enqueueDueChanges = (services: Services, tx: Tx, orgId: string): Promise<void> =>
  services.jobs.enqueue(tx, 'changes.record', { orgId }, { key: orgId });

/**
 * Starts the job `changes.record` again when the next record is due. The key differs from that of immediate jobs and by
 * minute, so that no job waits for a later one.
 */
export const scheduleDueChanges = (services: Services, tx: Tx, orgId: string, at: Date): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'changes.record',
    { orgId },
    { key: `${orgId} ${Math.floor(at.getTime() / 60_000)}`, startAfter: at },
  );

/** Starts the job `changes.import-pushes` for a repository, now or at a time. */
export const enqueuePushImport = (
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, at }: { repositoryId: string; at?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'changes.import-pushes',
    { orgId, repositoryId },
    { key: at ? `${repositoryId} later` : repositoryId, ...(at && { startAfter: at }) },
  );
