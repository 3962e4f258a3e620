import pg from 'pg';
import { superuserUrl, type TestServer } from '#testing/server.ts';

/**
 * The time at which repositories are enabled and disabled in the test: audit entries and ledger entries of these actions
 * state it, so that verifiers derive the same from a bundle as the server. Null: the real time.
 */
export interface ToggleClock {
  set: (at: Date | null) => Promise<void>;
}

const createClock = `
  create table test_toggle_clock (at timestamptz);
  insert into test_toggle_clock values (null);
  grant select on test_toggle_clock to public;
  create function test_set_toggle_time() returns trigger language plpgsql as $$
  declare
    toggled_at timestamptz := (select c.at from public.test_toggle_clock c);
    told text := to_char(toggled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  begin
    if toggled_at is null then return new; end if;
    if tg_table_name = 'audit_event' then
      new.at := toggled_at;
      return new;
    end if;
    new.entry := regexp_replace(new.entry, '"(asOf|receivedAt)":"[^"]*"', '"\\1":"' || told || '"', 'g');
    new.leaf_hash := sha256('\\x00'::bytea || convert_to(new.entry, 'UTF8'));
    return new;
  end $$;
  create trigger test_toggle_time before insert on audit_event for each row
    when (new.action in ('repository.enabled', 'repository.disabled')) execute function test_set_toggle_time();
  create trigger test_toggle_time before insert on ledger_pending for each row
    when (new.kind in ('audit.repository.enabled', 'audit.repository.disabled')) execute function test_set_toggle_time();`;

/** Creates the clock in the database of a server. */
export async function createToggleClock(server: TestServer): Promise<ToggleClock> {
  const run = async (text: string, values: unknown[] = []) => {
    const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
    await superuser.connect();
    await superuser.query(text, values.length > 0 ? values : undefined);
    await superuser.end();
  };
  await run(createClock);
  return { set: (at) => run('update test_toggle_clock set at = $1', [at]) };
}
