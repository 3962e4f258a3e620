import { createDemo, getDemo, removeDemo } from '@sightline/contract/organization/demo.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { deleteDemo } from './commands.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

/** The number of rows of an organization in each table that has any. */
async function rowsOf({ id }: TestOrganization): Promise<Record<string, number>> {
  const { database } = server.services;
  return database.withOrg(id, async (tx) => {
    const tables = await tx.query<{ name: string }>({
      name: '',
      text: `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
             where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'select')`,
      values: [],
    });
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await tx.query<{ count: string }>({
        name: '',
        text: `select count(*) from ${name} where org_id = $1`,
        values: [id],
      });
      if (Number(row?.count) > 0) counts[name] = Number(row?.count);
    }
    return counts;
  });
}

test('archives a demo organization immediately and then deletes every row of it, and of no other one', async () => {
  const demo = await server.make.organization('Harborline', { isDemo: true });
  const other = await server.make.organization('Kestrel');
  for (const org of [demo, other]) {
    await server.make.member(org.id, 'rol_contributor');
    await createTestRepository(server, org);
  }
  await server.as(demo.owner, demo.id)(removeDemo, {});
  const archived = await server.as(demo.owner, demo.id)(getOrganization, {});
  expect([archived.isDemo, archived.archivedAt]).toEqual([true, expect.any(String)]);
  await sequenceAndSign(server.services.ledger, demo.id);
  await sequenceAndSign(server.services.ledger, other.id);
  const before = await rowsOf(other);
  expect(Object.keys(await rowsOf(demo))).toEqual(expect.arrayContaining(['member', 'ledger_tile', 'repository']));
  await deleteDemo(server.services, demo.id);
  expect(await rowsOf(demo)).toEqual({});
  expect(await rowsOf(other)).toEqual(before);
  expect(await refusalOf(server.as(demo.owner, demo.id)(getOrganization, {}))).toMatchObject({ status: 403 });
});

test('deletes no other organization, and lets none become a demo', async () => {
  const org = await server.make.organization('Kestrel');
  expect(await refusalOf(server.as(org.owner, org.id)(removeDemo, {}))).toMatchObject({ status: 409 });
  await expect(deleteDemo(server.services, org.id)).rejects.toThrow('Only a demo organization can be deleted');
  const update = server.services.database.withOrg(org.id, ({ db }) =>
    db.updateTable('organization').set({ is_demo: true }).where('id', '=', org.id).execute(),
  );
  await expect(update).rejects.toThrow('An organization cannot become a demo');
});

test('offers no demo on a server without a sandbox', async () => {
  const account = await server.make.account();
  expect(await server.as(account)(getDemo, {})).toEqual({ isOffered: false, progress: null });
  expect(await refusalOf(server.as(account)(createDemo, {}))).toMatchObject({ status: 403 });
});
