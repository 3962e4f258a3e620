import type { Page } from '@sightline/contract/core/endpoint.ts';
import type {
  FailureKind,
  InstallationFailure,
  JobQueue,
  listInstallationFailures,
  listQueuedJobs,
  QueuedJob,
} from '@sightline/contract/platform/operator.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AccountActor } from '#core/actor.ts';
import { Forbidden } from '#core/errors.ts';
import { listJobs, listQueues, type QueuedJobRow } from '#core/queued-jobs.ts';
import { redactCause } from '#core/redacted-cause.ts';
import type { Tx } from '#database/database.ts';

/** Tells whether waiting jobs of a queue can be canceled: `isCancelable` of the job queue. */
type IsCancelable = (queue: string) => boolean;

/**
 * Throws 403 unless the account is an operator of the installation now. The identity provider of one organization cannot
 * sign an operator in.
 */
export async function requireOperator({ db }: Tx, { accountId, sessionId }: AccountActor): Promise<void> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('is_operator', '=', true)
    .where('merged_into', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_session as s')
            .select('s.id')
            .where('s.id', '=', sessionId ?? null)
            .where('s.connection', 'like', 'saml-%'),
        ),
      ),
    )
    .executeTakeFirst();
  if (!row) throw Forbidden('Only an operator of this installation can see its background work.');
}

/** Lists the queues of the installation. Throws 403 unless the actor is an operator. */
export async function listQueuesFor(tx: Tx, actor: AccountActor): Promise<JobQueue[]> {
  await requireOperator(tx, actor);
  return listQueues(tx);
}

/** Lists jobs of all organizations. Throws 403 unless the actor is an operator. */
export async function listJobsFor(
  tx: Tx,
  actor: AccountActor,
  isCancelable: IsCancelable,
  query: z.output<typeof listQueuedJobs.query>,
): Promise<Page<QueuedJob[]>> {
  await requireOperator(tx, actor);
  const { rows, total } = await listJobs(tx, query);
  return { rows: await describeJobs(tx, isCancelable, rows), total };
}

/** Adds the names of organizations, and removes what an operator must not see. */
export async function describeJobs(
  tx: Tx,
  isCancelable: IsCancelable,
  rows: readonly QueuedJobRow[],
): Promise<QueuedJob[]> {
  const organizationOf = await organizationsOf(tx, rows);
  return rows.map(({ id, queue, state, ...row }) => ({
    id,
    queue,
    state,
    organization: organizationOf(row.orgId),
    requestId: row.requestId,
    attempts: row.attempts,
    maxAttempts: row.maxAttempts,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    failedAt: state === 'failed' ? (row.endedAt?.toISOString() ?? null) : null,
    nextAttemptAt: state === 'waiting' || state === 'retrying' ? row.startAfter.toISOString() : null,
    cause: row.error === null ? null : redactCause(row.error),
    canRetry: state === 'failed' || state === 'retrying',
    canCancel: (state === 'waiting' || state === 'retrying') && isCancelable(queue),
  }));
}

interface FailureRow {
  kind: FailureKind;
  orgId: string;
  id: string;
  item: string;
  failedAt: Date;
  attempts: number;
  nextAttemptAt: Date | null;
  cause: string | null;
}

/** Lists imports and deliveries whose last attempt failed. Throws 403 unless the actor is an operator. */
export async function listFailuresFor(
  tx: Tx,
  actor: AccountActor,
  { kind, search, sort, page, perPage }: z.output<typeof listInstallationFailures.query>,
): Promise<Page<InstallationFailure[]>> {
  await requireOperator(tx, actor);
  const filterSql = sql`true ${kind.length === 0 ? sql`` : sql`and kind = any(${kind}::text[])`}
    ${search === '' ? sql`` : sql`and ${search.toLowerCase()} in (id, org_id::text, item)`}`;
  const direction = sort === 'date-asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<FailureRow & { total: number }>`
    select kind, org_id as "orgId", id, item, failed_at as "failedAt", attempts, next_at as "nextAttemptAt", cause
    from installation_failures() where ${filterSql} order by failed_at ${direction}, id ${direction}
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(tx.db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from installation_failures() where ${filterSql}`.execute(tx.db);
  const organizationOf = await organizationsOf(tx, rows);
  return {
    rows: rows.map(({ orgId, failedAt, nextAttemptAt, cause, ...row }) => ({
      ...row,
      organization: organizationOf(orgId),
      failedAt: failedAt.toISOString(),
      nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
      cause: cause === null ? null : redactCause(cause),
    })),
    total: counted.rows[0]?.total ?? 0,
  };
}

/** Returns the organization of a row by its ID; null for none and for a deleted one. */
async function organizationsOf(
  tx: Tx,
  rows: readonly { orgId: string | null }[],
): Promise<(orgId: string | null) => { id: string; name: string } | null> {
  const ids = [...new Set(rows.flatMap(({ orgId }) => orgId ?? []))];
  const found = await tx.query<{ id: string; name: string }>({
    name: 'operator.organizations',
    text: 'select id, name from organization_names($1::uuid[])',
    values: [ids],
  });
  const byId = new Map(found.map((one) => [one.id, one]));
  return (orgId) => (orgId === null ? null : (byId.get(orgId) ?? null));
}
