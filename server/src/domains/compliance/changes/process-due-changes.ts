import { isArchived } from '#core/archived.ts';
import type { ChangeSource } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited } from '#providers/code-host.ts';
import { buildChangeRecord } from './build-change-record.ts';
import { type ChangeCause, type DueChange, enqueueDueChanges, scheduleDueChanges } from './change-queue.ts';
import type { ChangeOutcome } from './outcome.ts';

/** `dueAt` is the text of the database: a Date has too few digits for an exact match. */
type DueTask = DueChange & { dueAt: string };

const BATCH_SIZE = 12;
const CONCURRENT_TASKS = 4;
// Then another job continues, so that other organizations get their turn and shutdown is quick.
const TURN_MS = 20_000;
// An arbitrary number; the key of the lock also contains the organization.
const LOCK_KEY = 7_318_205;

const minute = 60 * 1000;
/** The pause before each retry of missing parts, by attempt. */
const RETRY_PAUSES_MS = [10 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute];
// Older changes are retried only if the host did not answer.
const RECENT_CHANGE_MS = 3 * 24 * 60 * minute;

/** The job `changes.record`: builds due records, the earliest due first. One process at a time serves an organization. */
export async function processDueChanges(services: Services, orgId: string): Promise<void> {
  const { database } = services;
  const next = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'changes.workLock',
      text: 'select pg_try_advisory_xact_lock($1, hashtext($2)) as mine',
      values: [LOCK_KEY, orgId],
    });
    // The owner of the lock may have finished its last query already.
    return row?.mine ? processDueTasks(services, orgId) : new Date(Date.now() + 1_000);
  });
  if (!next) return;
  await database.withOrg(orgId, (tx) =>
    next.getTime() <= Date.now()
      ? enqueueDueChanges(services, tx, orgId)
      : scheduleDueChanges(services, tx, orgId, next),
  );
}

/** Returns when to continue; undefined if nothing is due. */
async function processDueTasks(services: Services, orgId: string): Promise<Date | undefined> {
  const started = performance.now();
  for (;;) {
    // Tasks of an archived organization remain queued until it is restored.
    const { dues, next } = await services.database.withOrg(orgId, async (tx) =>
      (await isArchived(tx, orgId)) ? { dues: [], next: undefined } : listDueTasks(tx, orgId),
    );
    if (dues.length === 0) return next;
    for (let from = 0; from < dues.length; from += CONCURRENT_TASKS) {
      if (services.jobs.stopping.aborted) break;
      await Promise.all(dues.slice(from, from + CONCURRENT_TASKS).map((due) => processTask(services, orgId, due)));
    }
    if (services.jobs.stopping.aborted || performance.now() - started > TURN_MS) return new Date();
  }
}

/** Builds one record. A rate limit defers it without blocking others. */
async function processTask(services: Services, orgId: string, due: DueTask): Promise<void> {
  const { database, log } = services;
  try {
    const outcome = await buildChangeRecord(services, orgId, due);
    await database.withOrg(orgId, (tx) => finishTask(tx, orgId, due, pauseAfter(outcome, due.attempt)));
  } catch (error) {
    if (error instanceof HostLimited) {
      const { until } = error;
      await database.withOrg(orgId, (tx) => deferTask(tx, orgId, due, until));
      return;
    }
    log.error({ orgId, change: due.id, err: error }, 'a change could not be recorded');
    await database.withOrg(orgId, (tx) => finishTask(tx, orgId, due, RETRY_PAUSES_MS[due.attempt] ?? null));
  }
}

const deferTask = (tx: Tx, orgId: string, due: DueTask, until: Date) =>
  tx.query({
    name: 'changes.defer',
    text: 'update change_task set due_at = $4 where org_id = $1 and id = $2 and due_at = $3::timestamptz',
    values: [orgId, due.id, due.dueAt, until],
  });

/** Returns the pause in milliseconds before missing parts are requested again; null for no retry. */
function pauseAfter(outcome: ChangeOutcome, attempt: number): number | null {
  const pause = RETRY_PAUSES_MS[attempt];
  if (!outcome || pause === undefined) return null;
  const { sources, mergedAt, isUnsure, isDirect } = outcome;
  const reasons = Object.values(sources).map(({ reason }) => reason);
  if (reasons.includes('unreachable')) return pause;
  if (Date.now() - Date.parse(mergedAt) > RECENT_CHANGE_MS) return null;
  // Hosts may link a commit to its pull request with a delay.
  const isEarly = (isUnsure || isDirect) && attempt < 2;
  return isEarly || reasons.includes('permission') ? pause : null;
}

/** Removes a task, or schedules its retry. A task that became due again remains. */
const finishTask = (tx: Tx, orgId: string, due: DueTask, pause: number | null) =>
  pause === null
    ? tx.query({
        name: 'changes.done',
        text: 'delete from change_task where org_id = $1 and id = $2 and due_at = $3::timestamptz',
        values: [orgId, due.id, due.dueAt],
      })
    : tx.query({
        name: 'changes.again',
        text: `update change_task set attempt = attempt + 1, cause = 'retry', due_at = now() + make_interval(secs => $4::float8 / 1000)
               where org_id = $1 and id = $2 and due_at = $3::timestamptz`,
        values: [orgId, due.id, due.dueAt, pause],
      });

async function listDueTasks(tx: Tx, orgId: string): Promise<{ dues: DueTask[]; next: Date | undefined }> {
  const rows = await tx.query<{
    id: string;
    repository_id: string;
    number: number | null;
    push_id: string | null;
    cause: ChangeCause;
    attempt: number;
    due_at: Date;
    moment: string;
    is_due: boolean;
  }>({
    name: 'changes.open',
    text: `select id, repository_id, number, push_id, cause, attempt, due_at, due_at::text as moment, due_at <= clock_timestamp() as is_due
           from change_task where org_id = $1 order by due_at, id limit $2`,
    values: [orgId, BATCH_SIZE],
  });
  const dues = rows
    .filter((row) => row.is_due)
    .map((row) => ({
      id: row.id,
      repositoryId: row.repository_id,
      cause: row.cause,
      attempt: row.attempt,
      dueAt: row.moment,
      of: changeOfRow(row),
    }));
  return { dues, next: rows.find((row) => !row.is_due)?.due_at };
}

const changeOfRow = ({ number, push_id: pushId }: { number: number | null; push_id: string | null }): ChangeSource =>
  pushId === null ? { number: number ?? 0 } : { pushId };
