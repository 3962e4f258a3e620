import pg from 'pg';
import { superuserUrl, type TestServer } from '#testing/server.ts';

export interface TableChangeRecorder {
  /** Returns the tables with rows changed by committed transactions since the last call, each once, in order. */
  take: () => Promise<string[]>;
  /** Returns the tables with changed rows since the last call of `forget`; jobs as `pgboss.job`. */
  changedTables: () => Promise<string[]>;
  /** Forgets all changes, and returns what `changedTables` would. */
  forget: () => Promise<string[]>;
  superuser: pg.Client;
  close: () => Promise<void>;
}

const tablesOf = (rows: readonly { relation: string }[]): string[] => [
  ...new Set(rows.map(({ relation }) => (relation === 'jobs' || relation === 'job states' ? 'pgboss.job' : relation))),
];

/**
 * Records which tables of a server's database change, by any client: row-level security does not restrict it. Ignores
 * attempts, which are counted with any result, indexing of new events, which the schedule starts, and the time that
 * readiness checks write.
 */
export async function recordTableChanges(server: TestServer): Promise<TableChangeRecorder> {
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  await superuser.query(`
    create schema recorder;
    create table recorder.change (relation text, transaction xid8, taken boolean default false, primary key (relation, transaction));
    create function recorder.record() returns trigger language plpgsql security definer as $$
      begin
        insert into recorder.change values (tg_argv[0], pg_current_xact_id()) on conflict do nothing;
        return null;
      end $$;
    create trigger recorded after insert on pgboss.job
      for each row when (new.name <> 'events.index') execute function recorder.record('jobs');
    create trigger changed after update on pgboss.job
      for each row when (new.state <> old.state) execute function recorder.record('job states')`);
  const triggers = await superuser.query<{ statement: string }>(`
    select format('create trigger recorded after insert or update or delete on %I
      for each row execute function recorder.record(%L)', relname, relname) as statement
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('attempt', 'clock_reading')`);
  // Each in its own transaction: together, their locks could deadlock with a job of the running server.
  for (const { statement } of triggers.rows) await superuser.query(statement);
  return {
    superuser,
    async take() {
      const { rows } = await superuser.query<{ relation: string }>(
        'update recorder.change set taken = true where not taken returning relation',
      );
      return [...new Set(rows.map(({ relation }) => relation))].sort();
    },
    async changedTables() {
      return tablesOf((await superuser.query('select distinct relation from recorder.change')).rows);
    },
    async forget() {
      return tablesOf((await superuser.query('delete from recorder.change returning relation')).rows);
    },
    close: () => superuser.end(),
  };
}
