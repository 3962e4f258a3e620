import type { Client } from 'pg';

/**
 * For each table, by its name, how many rows there are and which transaction wrote the newest of them; and the queued jobs.
 * A try counts as one whatever comes of it, and words of new events are indexed when the clock says so: both are left out.
 * Row-level security hides what changed: only a superuser sees all of it.
 */
export async function everything(superuser: Client): Promise<{ name: string }[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'attempt'`,
  );
  const counts = rows.map(
    ({ name }) => `select '${name}' as name, count(*)::int as count, max(xmin::text::bigint) as newest from "${name}"`,
  );
  const jobs = `select 'jobs' as name, count(*)::int, null from pgboss.job where name <> 'events.index'`;
  return (await superuser.query<{ name: string }>(`${[...counts, jobs].join(' union all ')} order by name`)).rows;
}
