import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { inventoriedColumns } from './inventory.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('the inventory covers every column that can hold text', async () => {
  const { rows } = await server.services.database.pool.query<{ name: string }>(`
    select c.relname || '.' || a.attname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'public' and c.relkind in ('r', 'p')
      and format_type(a.atttypid, null) not in ('uuid', 'uuid[]', 'boolean', 'smallint', 'integer', 'integer[]', 'bigint', 'bigint[]',
        'double precision', 'timestamp with time zone', 'timestamp with time zone[]', 'date', 'int4range')
    order by 1`);
  const existing = rows.map(({ name }) => name);
  const listed = inventoriedColumns();
  // List a new column in inventory.ts as searched, own or stays.
  expect(existing.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !existing.includes(name))).toEqual([]);
  expect(listed).toHaveLength(new Set(listed).size);
});

test('the erasure role cannot change the ledger or its queue and is limited to one organization', async () => {
  const { rows } = await server.services.database.pool.query(
    `select t as name, has_table_privilege('sightline_erasure', t, 'select, update, delete') as changes
     from unnest(array['ledger_entry', 'ledger_tile', 'ledger_log', 'ledger_checkpoint', 'signing_key', 'migration']) as t
     where has_table_privilege('sightline_erasure', t, 'select') or has_table_privilege('sightline_erasure', t, 'update')
       or has_table_privilege('sightline_erasure', t, 'delete')`,
  );
  expect(rows).toEqual([]);
  const { rows: pending } = await server.services.database.pool.query(
    `select has_table_privilege('sightline_erasure', 'ledger_pending', 'update') as update,
       has_table_privilege('sightline_erasure', 'ledger_pending', 'delete') as delete,
       has_table_privilege('sightline_app', 'erased_row', 'insert') as marks, has_table_privilege('sightline_app', 'erased_row', 'delete') as unmarks`,
  );
  expect(pending).toEqual([{ update: false, delete: false, marks: false, unmarks: false }]);
  const other = await server.make.organization();
  const own = await server.make.organization();
  const seen = await server.services.erasure.withOrg(own.id, (tx) =>
    tx.query<{ id: string }>({ name: '', text: 'select id from organization', values: [] }),
  );
  expect(seen).toEqual([{ id: own.id }]);
  expect(seen).not.toContainEqual({ id: other.id });
});
