import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { JobQueue, JobState, listQueuedJobs } from '@sightline/contract/platform/operator.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Tx } from '#database/database.ts';

type JobsQuery = z.output<typeof listQueuedJobs.query>;

/** A job as an operator may see it: its data is not read, except for the IDs of its organization and request. */
export interface QueuedJobRow {
  id: string;
  queue: string;
  state: JobState;
  orgId: string | null;
  requestId: string | null;
  attempts: number;
  maxAttempts: number;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  startAfter: Date;
  /** The message of the last error, which may contain personal data and secrets. */
  error: string | null;
}

const job = sql.table('pgboss.job');

// pg-boss has one more state for jobs that succeeded, which no list contains.
const stateSql = sql<JobState>`case j.state when 'created' then 'waiting' when 'retry' then 'retrying'
  when 'active' then 'running' when 'failed' then 'failed' else 'canceled' end`;

// Of the queues of pg-boss itself.
const isOwnSql = sql<boolean>`j.name not like '\\_\\_pgboss%'`;

// pg-boss stores { message, … } of a thrown error, and { value: { message } } of a run that timed out.
const jobSql = sql`select j.id, j.name as queue, ${stateSql} as state,
  case when j.data->>'orgId' ~ '^[0-9a-f-]{36}$' then j.data->>'orgId' end as "orgId", j.data->>'requestId' as "requestId",
  case when j.started_on is null then 0 else j.retry_count + 1 end as attempts, j.retry_limit + 1 as "maxAttempts",
  j.created_on as "createdAt", j.started_on as "startedAt", j.completed_on as "endedAt", j.start_after as "startAfter",
  coalesce(j.output->>'message', j.output->'value'->>'message') as error
  from pgboss.job j`;

/** Lists the queues with the number of their jobs that have not succeeded, by name. */
export async function listQueues({ db }: Tx): Promise<JobQueue[]> {
  const { rows } = await sql<Omit<JobQueue, 'lastFailedAt'> & { lastFailedAt: Date | null }>`
    select q.name, count(*) filter (where j.state = 'created')::int as waiting,
      count(*) filter (where j.state = 'active')::int as running, count(*) filter (where j.state = 'retry')::int as retrying,
      count(*) filter (where j.state = 'failed')::int as failed,
      coalesce(extract(epoch from now() - min(j.start_after) filter (
        where j.state < 'active' and not j.blocked and j.start_after < now())), 0)::float8 as "overdueSeconds",
      max(j.completed_on) filter (where j.state = 'failed') as "lastFailedAt"
    from pgboss.queue q left join pgboss.job j on j.name = q.name and (j.state < 'completed' or j.state = 'failed')
    where q.name not like '\\_\\_pgboss%' group by q.name order by q.name`.execute(db);
  return rows.map((row) => ({ ...row, lastFailedAt: row.lastFailedAt?.toISOString() ?? null }));
}

/** Lists jobs of all organizations that have not succeeded, by the time of their last change. */
export async function listJobs(
  { db }: Tx,
  { queue, state, search, sort, page, perPage }: JobsQuery,
): Promise<Page<QueuedJobRow[]>> {
  const filterSql = sql`j.state <> 'completed' and ${isOwnSql}
    ${queue.length === 0 ? sql`` : sql`and j.name = any(${queue}::text[])`}
    ${state.length === 0 ? sql`` : sql`and ${stateSql} = any(${state}::text[])`}
    ${search === '' ? sql`` : sql`and ${search.toLowerCase()} in (j.id::text, j.data->>'orgId', j.data->>'requestId')`}`;
  const direction = sort === 'date-asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<QueuedJobRow>`${jobSql} where ${filterSql}
    order by coalesce(j.completed_on, j.started_on, j.created_on) ${direction}, j.id ${direction}
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${job} j where ${filterSql}`.execute(
    db,
  );
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** A job by its queue and ID. */
export interface JobKey {
  queue: string;
  jobId: string;
}

/** Returns a job that has not succeeded, locked until the transaction ends. */
export async function maybeJob({ db }: Tx, { queue, jobId }: JobKey): Promise<QueuedJobRow | undefined> {
  const { rows } = await sql<QueuedJobRow>`${jobSql}
    where j.name = ${queue} and j.id = ${jobId}::uuid and j.state <> 'completed' and ${isOwnSql} for update`.execute(
    db,
  );
  return rows[0];
}

/** Makes a failed or retrying job due now, with at least one more attempt. */
export async function makeJobDue({ db }: Tx, { queue, jobId }: JobKey): Promise<void> {
  await sql`update pgboss.job set state = 'retry', start_after = now(), completed_on = null,
      retry_limit = greatest(retry_limit, retry_count + 1), keep_until = greatest(keep_until, now() + interval '14 days')
    where name = ${queue} and id = ${jobId}::uuid and state in ('failed', 'retry')`.execute(db);
}

/** Cancels a job that has not started or waits for its next attempt. */
export async function cancelJob({ db }: Tx, { queue, jobId }: JobKey): Promise<void> {
  await sql`update pgboss.job set state = 'cancelled', completed_on = now()
    where name = ${queue} and id = ${jobId}::uuid and state in ('created', 'retry')`.execute(db);
}
