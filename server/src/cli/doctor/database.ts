import type pg from 'pg';
import type { OpenDatabase } from '../command-resources.ts';
import { readSchemaState, withClient } from '../schema.ts';
import { type DoctorCheck, failedCheck, passedCheck, warningCheck } from './check.ts';

const oldestVersion = 150_000;
const locations: Record<OpenDatabase['kind'], string> = {
  own: 'at DATABASE_URL',
  running: 'built in, running',
  started: 'built in, started for this check',
};

export const checkVersion = (url: string, kind: OpenDatabase['kind']): Promise<DoctorCheck> =>
  withClient(url, async (client) => {
    const { number, words } = await only<{ number: number; words: string }>(
      client,
      "select current_setting('server_version_num')::int as number, current_setting('server_version') as words",
    );
    const message = `PostgreSQL ${words.split(' ')[0]}, ${locations[kind]}`;
    return number < oldestVersion
      ? failedCheck('database', message, 'Sightline needs PostgreSQL 15 or newer.')
      : passedCheck('database', message);
  });

export async function checkMigrations(url: string): Promise<DoctorCheck> {
  const { applied, missing, changed, unknown } = await readSchemaState(url);
  const name = 'migrations';
  if (changed.length > 0) {
    return failedCheck(name, `changed after they ran: ${changed.join(', ')}`, 'Restore the files of the release.');
  }
  if (missing.length > 0) {
    return failedCheck(name, `pending: ${missing.join(', ')}`, 'Run: npm run sightline -- migrate');
  }
  if (unknown.length > 0) {
    return warningCheck(
      name,
      `from a newer release: ${unknown.join(', ')}`,
      'Update this checkout to the running release.',
    );
  }
  return passedCheck(name, `all ${applied.length} have run`);
}

const roles = ['app', 'readonly', 'lookup', 'ledger', 'erasure', 'demo'].map((name) => `sightline_${name}`);

export const checkRoles = (url: string): Promise<DoctorCheck> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; free: boolean; self: boolean }>(
      `select rolname as name, rolsuper or rolbypassrls as free, rolname = current_user as self from pg_roles
       where rolname = any($1) or rolname = current_user order by 1`,
      [roles],
    );
    const missing = roles.filter((role) => !rows.some(({ name }) => name === role));
    if (missing.length > 0)
      return failedCheck('roles', `missing: ${missing.join(', ')}`, 'Create them as migration 0001 does.');
    const free = rows.filter((row) => row.free && !row.self).map(({ name }) => name);
    if (free.length > 0) {
      const names = free.join(', ');
      return failedCheck(
        'roles',
        `bypass row-level security: ${names}`,
        `Run: alter role ${free[0]} nosuperuser nobypassrls`,
      );
    }
    if (rows.some((row) => row.free && row.self)) {
      return warningCheck(
        'roles',
        'the login of DATABASE_URL is a superuser',
        'Ownership of one database is sufficient.',
      );
    }
    return passedCheck('roles', 'none bypasses row-level security');
  });

/** Checks the login of DATABASE_APP_URL. */
export const checkAppLogin = (url: string): Promise<DoctorCheck> =>
  withClient(url, async (client) => {
    const { name, free, owns } = await only<{ name: string; free: boolean; owns: number }>(
      client,
      `select current_user::text as name, rolsuper or rolbypassrls as free,
         (select count(*)::int from pg_class where relowner = r.oid and relname = 'event') as owns
       from pg_roles r where rolname = current_user`,
    );
    return free || owns > 0
      ? failedCheck('app login', `${name} has too many privileges`, 'Use a login without owner privileges.')
      : passedCheck('app login', `${name}, without owner privileges`);
  });

/** Checks that every table of organizations has row-level security, and that it works. */
export const checkTenancy = (url: string): Promise<DoctorCheck> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; safe: boolean }>(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as safe
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = current_schema() and c.relkind in ('r', 'p') and (c.relname = 'organization' or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped))
       order by 1`,
    );
    const open = rows.filter((row) => !row.safe).map(({ name }) => name);
    if (open.length > 0) {
      const advice = `Run: alter table ${open[0]} enable row level security, force row level security`;
      return failedCheck('tenancy', `without row-level security: ${open.join(', ')}`, advice);
    }
    await client.query('begin; set local role sightline_app');
    const { seen } = await only<{ seen: number }>(client, 'select count(*)::int as seen from organization');
    return seen > 0
      ? failedCheck(
          'tenancy',
          `the server sees ${seen} organizations without a selected organization`,
          'Check their policies.',
        )
      : passedCheck('tenancy', `row-level security on all ${rows.length} organization tables`);
  });

const overdueMinutes = 10;

export const checkJobs = (url: string): Promise<DoctorCheck> =>
  withClient(url, async (client) => {
    const { made } = await only<{ made: boolean }>(client, "select to_regclass('pgboss.job') is not null as made");
    if (!made) return warningCheck('jobs', 'the queue does not exist', 'The first start creates it: npm start');
    const { pending, overdue, failed, names } = await only<
      Record<'pending' | 'overdue' | 'failed', number> & { names: string | null }
    >(
      client,
      `select count(*) filter (where state in ('created', 'retry', 'active'))::int as pending,
         count(*) filter (where state in ('created', 'retry') and start_after < now() - make_interval(mins => $1))::int as overdue,
         count(*) filter (where state = 'failed')::int as failed,
         string_agg(distinct name, ', ') filter (where state = 'failed') as names
       from pgboss.job`,
      [overdueMinutes],
    );
    if (overdue > 0) {
      const advice = 'Check that a server or worker is running, and check its log.';
      return failedCheck(
        'jobs',
        `${overdue} of ${pending} pending ones are overdue by more than ${overdueMinutes} minutes`,
        advice,
      );
    }
    if (failed > 0) return warningCheck('jobs', `${failed} failed: ${names}`, 'See the log of the server.');
    return passedCheck('jobs', `${pending} pending, none failed`);
  });

const oldBackupHours = 26;

/** Checks the age of the last backup by the `backup` command. */
export const checkBackup = (url: string): Promise<DoctorCheck> =>
  withClient(url, async (client) => {
    const { hours } = await only<{ hours: number | null }>(
      client,
      `select extract(epoch from now() - max((data->>'at')::timestamptz))::int / 3600 as hours
       from operator_entry where action = 'backup.created'`,
    );
    const advice = 'Run npm run sightline -- backup every night with a timer. Backups by other means are not detected.';
    if (hours === null) return warningCheck('backup', 'none created by the backup command', advice);
    return hours > oldBackupHours
      ? warningCheck('backup', `the last one is ${hours} hours old`, advice)
      : passedCheck('backup', `the last one is ${hours} hours old`);
  });

interface Backlog {
  ledger_entries: number;
  ledger_seconds: number;
  halted_ledgers: number;
  refused_code_hosts: number;
}

/** Checks the state of the ledgers without their entries (see `doctor --ledger`), and the connections to code hosts. */
export const checkBacklog = (url: string): Promise<DoctorCheck[]> =>
  withClient(url, async (client) => {
    await client.query('set role sightline_app');
    const backlog = await only<Backlog>(
      client,
      'select ledger_entries::int, ledger_seconds, halted_ledgers::int, refused_code_hosts::int from installation_backlog()',
    );
    return [checkLedgerState(backlog), checkCodeHosts(backlog)];
  });

function checkLedgerState({
  ledger_entries: waiting,
  ledger_seconds: seconds,
  halted_ledgers: halted,
}: Backlog): DoctorCheck {
  const name = 'ledger';
  if (halted > 0) {
    return failedCheck(
      name,
      `halted ledgers, whose entries do not match what was signed: ${halted}`,
      'See docs/ledger.md.',
    );
  }
  if (seconds > overdueMinutes * 60) {
    const message = `entries pending for up to ${Math.round(seconds / 60)} minutes: ${waiting}`;
    return failedCheck(name, message, 'Check that a server or worker is running, and check its log.');
  }
  return passedCheck(name, 'none halted, none delayed');
}

const checkCodeHosts = ({ refused_code_hosts: refused }: Backlog): DoctorCheck =>
  refused > 0
    ? failedCheck(
        'code hosts',
        `connections whose token is rejected: ${refused}`,
        'Account Owners can connect them again under Integrations.',
      )
    : passedCheck('code hosts', 'no connection is rejected');

async function only<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  const [row] = rows;
  if (!row) throw new Error('The database did not respond');
  return row;
}
