import { isArchived } from '#core/archived.ts';
import type { ChangeOf } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited } from '#providers/code-host.ts';
import { type ChangeCause, type Due, ring, ringLater } from './due.ts';
import { makeChange } from './make.ts';
import type { ChangeOutcome } from './outcome.ts';

/** `dueAt` is as the database wrote it: a Date has too few digits to be found by. */
type Open = Due & { dueAt: string };

const batch = 12;
const atOnce = 4;
// Then another job goes on, so that other organizations have their turn and a server that stops need not wait.
const turn = 20_000;
// Any number; the organization follows it in the key of the lock.
const lock = 7_318_205;

const minute = 60 * 1000;
/** After how long what is missing is asked for again, by how often it was. */
const pauses = [10 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute];
// What is missing of an older change is only asked for again where the host did not answer.
const recent = 3 * 24 * 60 * minute;

/** Makes the records that are due, the latest first. One process at a time does it for an organization. */
export async function workOff(services: Services, orgId: string): Promise<void> {
  const { database } = services;
  const next = await database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'changes.workLock',
      text: 'select pg_try_advisory_xact_lock($1, hashtext($2)) as mine',
      values: [lock, orgId],
    });
    // Whoever has it may have looked for the last time already.
    return row?.mine ? workInTurn(services, orgId) : new Date(Date.now() + 1_000);
  });
  if (!next) return;
  await database.withOrg(orgId, (tx) =>
    next.getTime() <= Date.now() ? ring(services, tx, orgId) : ringLater(services, tx, orgId, next),
  );
}

/** Answers when to go on, or undefined once nothing is left. */
async function workInTurn(services: Services, orgId: string): Promise<Date | undefined> {
  const started = performance.now();
  for (;;) {
    // Of an archived organization they are kept: restoring it rings for them.
    const { dues, next } = await services.database.withOrg(orgId, async (tx) =>
      (await isArchived(tx, orgId)) ? { dues: [], next: undefined } : openDues(tx, orgId),
    );
    if (dues.length === 0) return next;
    for (let from = 0; from < dues.length; from += atOnce) {
      if (services.jobs.stopping.aborted) break;
      await Promise.all(dues.slice(from, from + atOnce).map((due) => workOn(services, orgId, due)));
    }
    if (services.jobs.stopping.aborted || performance.now() - started > turn) return new Date();
  }
}

/** Makes one record; one whose host refuses every request for now waits for it, and keeps no other from being made. */
async function workOn(services: Services, orgId: string, due: Open): Promise<void> {
  const { database, log } = services;
  try {
    const outcome = await makeChange(services, orgId, due);
    await database.withOrg(orgId, (tx) => settle(tx, orgId, due, pauseAfter(outcome, due.attempt)));
  } catch (error) {
    if (error instanceof HostLimited) {
      const { until } = error;
      await database.withOrg(orgId, (tx) => defer(tx, orgId, due, until));
      return;
    }
    log.error({ orgId, change: due.id, err: error }, 'a change could not be recorded');
    await database.withOrg(orgId, (tx) => settle(tx, orgId, due, pauses[due.attempt] ?? null));
  }
}

const defer = (tx: Tx, orgId: string, due: Open, until: Date) =>
  tx.query({
    name: 'changes.defer',
    text: 'update change_task set due_at = $4 where org_id = $1 and id = $2 and due_at = $3::timestamptz',
    values: [orgId, due.id, due.dueAt, until],
  });

/** How long to wait until what is missing is asked for again; null: it is not. */
function pauseAfter(outcome: ChangeOutcome, attempt: number): number | null {
  const pause = pauses[attempt];
  if (!outcome || pause === undefined) return null;
  const { sources, mergedAt, isUnsure, isDirect } = outcome;
  const reasons = Object.values(sources).map(({ reason }) => reason);
  if (reasons.includes('unreachable')) return pause;
  if (Date.now() - Date.parse(mergedAt) > recent) return null;
  // A host may know a moment later only by which pull request a commit came.
  const isEarly = (isUnsure || isDirect) && attempt < 2;
  return isEarly || reasons.includes('permission') ? pause : null;
}

/** Takes a change off the list, or puts it back. One that became due again meanwhile stays. */
const settle = (tx: Tx, orgId: string, due: Open, pause: number | null) =>
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

async function openDues(tx: Tx, orgId: string): Promise<{ dues: Open[]; next: Date | undefined }> {
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
    values: [orgId, batch],
  });
  const dues = rows
    .filter((row) => row.is_due)
    .map((row) => ({
      id: row.id,
      repositoryId: row.repository_id,
      cause: row.cause,
      attempt: row.attempt,
      dueAt: row.moment,
      of: ofRow(row),
    }));
  return { dues, next: rows.find((row) => !row.is_due)?.due_at };
}

const ofRow = ({ number, push_id: pushId }: { number: number | null; push_id: string | null }): ChangeOf =>
  pushId === null ? { number: number ?? 0 } : { pushId };
