import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';

let server: TestServer;
let tables: Table[];
beforeAll(async () => {
  server = await startTestServer();
  tables = await tenantTables();
});
afterAll(() => server.close());

interface Table {
  name: string;
  /** The column with the organization. */
  column: string;
  secured: boolean;
  forced: boolean;
  owner: string;
  primaryKey: string[];
  policies: string[];
}

/** Returns every table of the catalog that belongs to organizations. */
async function tenantTables(): Promise<Table[]> {
  const { rows } = await server.services.database.pool.query<Table>(`
    select c.relname as name, a.attname as column, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
      pg_get_userbyid(c.relowner) as owner,
      (select coalesce(array_agg(k.attname::text order by n.place), '{}') from pg_index i
         cross join unnest(i.indkey) with ordinality as n(number, place)
         join pg_attribute k on k.attrelid = c.oid and k.attnum = n.number
         where i.indrelid = c.oid and i.indisprimary) as "primaryKey",
      (select coalesce(array_agg(pg_get_expr(p.polqual, c.oid)), '{}') from pg_policy p
         where p.polrelid = c.oid and p.polcmd = '*' and pg_get_expr(p.polqual, c.oid) = pg_get_expr(p.polwithcheck, c.oid)) as policies
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (a.attname = 'org_id' or (c.relname = 'organization' and a.attname = 'id'))
    order by c.relname`);
  return rows;
}

test('restricts every organization table to its organization, even for the table owner', () => {
  expect(tables.length).toBeGreaterThan(15);
  for (const { name, column, secured, forced, policies } of tables) {
    expect({ name, secured, forced, policies }).toEqual({
      name,
      secured: true,
      forced: true,
      policies: [`(${column} = app_org())`],
    });
  }
});

test('starts the primary key of every such table with the organization', () => {
  for (const { name, column, primaryKey } of tables) expect([name, primaryKey[0]]).toEqual([name, column]);
});

test('starts every index with the organization, except indexes that resolve ownership', async () => {
  const { rows } = await server.services.database.pool.query<{ index: string; leads: string }>(
    `
    select i.relname as index, a.attname as leads from pg_index x
    join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
    where c.relname = any($1) and c.relname <> 'organization' and a.attname is distinct from 'org_id'
    order by 1`,
    [tables.map((table) => table.name)],
  );
  expect(rows).toEqual([
    { index: 'change_record_persons', leads: 'persons' },
    { index: 'change_work_authors', leads: 'authors' },
    { index: 'change_work_commits', leads: 'commit_keys' },
    { index: 'change_work_sessions', leads: 'session_keys' },
    { index: 'code_host_hook_address', leads: 'id' },
    { index: 'identity_account', leads: 'value' },
    { index: 'installation_bound', leads: 'provider' },
    { index: 'integration_hook', leads: 'hook' },
    { index: 'invitation_email', leads: 'email' },
    { index: 'invitation_token', leads: 'token_hash' },
    { index: 'member_account', leads: 'account_id' },
    { index: 'organization_domain_verified', leads: 'domain' },
    { index: 'reconciled_agent_persons', leads: 'persons' },
    { index: 'status_check_hook_address', leads: 'id' },
    { index: 'tracker_hook', leads: 'hook' },
  ]);
});

test('uses a server role that is no owner, no superuser, and cannot bypass row-level security', async () => {
  const { rows } = await server.services.database.pool.query(
    'select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
  );
  expect(rows).toEqual([
    { rolname: 'sightline_app', rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false },
  ]);
  expect(tables.filter((table) => table.owner === 'sightline_app')).toEqual([]);
});

test.each([
  'create table intruder (id int)',
  'alter table member disable row level security',
  'alter table member no force row level security',
  'create policy all_of_it on member using (true)',
  'truncate audit_event',
])('denies the server role: %s', async (statement) => {
  await expect(server.services.database.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test('denies the server updates and deletes of audit events and pending ledger entries', async () => {
  const { rows } = await server.services.database.pool.query(`
    select t.name, has_table_privilege(t.name, 'insert') as insert, has_table_privilege(t.name, 'update') as update,
      has_any_column_privilege(t.name, 'update') as "updateColumn", has_table_privilege(t.name, 'delete') as delete,
      has_table_privilege(t.name, 'truncate') as truncate
    from unnest(array['audit_event', 'ledger_pending']) as t(name)`);
  const appendOnly = { insert: true, update: false, updateColumn: false, delete: false, truncate: false };
  expect(rows).toEqual([
    { name: 'audit_event', ...appendOnly },
    { name: 'ledger_pending', ...appendOnly },
  ]);
});

test('limits the server to reading ledger entries and the sequencer to appending them', async () => {
  const tables = ['ledger_checkpoint', 'ledger_entry', 'ledger_log', 'ledger_tile'];
  const { rows } = await server.services.database.pool.query(
    `select r as role, t as name, has_table_privilege(r, t, 'select') as select, has_table_privilege(r, t, 'insert') as insert,
       has_table_privilege(r, t, 'update') as update, has_table_privilege(r, t, 'delete') as delete,
       has_table_privilege(r, t, 'truncate') as truncate
     from unnest(array['sightline_app', 'sightline_ledger']) as r cross join unnest($1::text[]) as t order by 1, 2`,
    [tables],
  );
  const readOnly = { select: true, update: false, delete: false, truncate: false };
  expect(rows).toEqual([
    ...tables.map((name) => ({ role: 'sightline_app', name, insert: false, ...readOnly })),
    ...tables.map((name) => ({ role: 'sightline_ledger', name, insert: true, ...readOnly })),
  ]);
  const { rows: secret } = await server.services.database.pool.query(
    `select has_column_privilege('sightline_app', 'signing_key', 'secret', 'select') as readable,
       has_table_privilege('sightline_ledger', 'account', 'select') as accounts`,
  );
  expect(secret).toEqual([{ readable: false, accounts: false }]);
});

test('restricts cross-organization functions to the server, under owner roles without login', async () => {
  const { rows } = await server.services.database.pool.query<{
    name: string;
    owner: string;
    open: boolean;
    path: string[];
  }>(`
    select p.proname as name, pg_get_userbyid(p.proowner) as owner, p.proconfig as path,
      has_function_privilege('sightline_readonly', p.oid, 'execute') as open
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef`);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const owner = row.name === 'delete_demo_organization' ? 'sightline_demo' : 'sightline_lookup';
    expect(row).toMatchObject({ owner, open: false, path: ['search_path=public'] });
  }
});

test('shows no rows without an organization and rejects writing a row of another one', async () => {
  const mine = await server.make.organization('Mine');
  const theirs = await server.make.organization('Theirs');
  const { database } = server.services;
  for (const { name } of tables) {
    const { rows } = await database.pool.query(`select count(*) from ${name}`);
    expect([name, rows[0]]).toEqual([name, { count: 0 }]);
  }
  const insert = database.withOrg(mine.id, ({ db }) =>
    db
      .insertInto('member')
      .values({ org_id: theirs.id, account_id: mine.owner.id, role_id: 'rol_owner', status: 'active' })
      .execute(),
  );
  await expect(insert).rejects.toMatchObject({ code: '42501' });
});

test('hides rows of another organization even without a where clause', async () => {
  const mine = await server.make.organization('Mine');
  const theirs = await server.make.organization('Theirs');
  const seen = await server.services.database.withOrg(mine.id, ({ db }) =>
    db.selectFrom('member').select('org_id').execute(),
  );
  expect(seen.map((row) => row.org_id)).toEqual([mine.id]);
  expect(theirs.id).not.toBe(mine.id);
});

test('clears the organization of a connection at the end of the transaction', async () => {
  const { id } = await server.make.organization('Mine');
  const { database } = server.services;
  const during = await database.withOrg(id, (tx) =>
    tx.query<{ org: string }>({ name: 'seed.org', text: 'select app_org()::text as org', values: [] }),
  );
  expect(during).toEqual([{ org: id }]);
  const after = await Promise.all(
    Array.from({ length: 16 }, () => database.pool.query('select app_org() as org, app_account() as account')),
  );
  for (const { rows } of after) expect(rows).toEqual([{ org: null, account: null }]);
});
