import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#database/database.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { countShared } from './shared-counts.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
});
afterAll(() => server.close());

const countAssigned = async (tx: Tx, orgId: string) =>
  (
    await countShared(
      tx,
      orgId,
      sql<{ count: number; at: string }>`
        select count(*)::int as count, clock_timestamp()::text as at from finding
        where org_id = ${orgId} and assignee_id is not null`,
    )
  )[0];
const counted = (orgId = org.id) => server.services.database.withOrg(orgId, (tx) => countAssigned(tx, orgId));
const assignAll = (tx: Tx) =>
  tx.db.updateTable('finding').set({ assignee_id: org.owner.id }).where('org_id', '=', org.id).execute();

test('reuses a count until findings of the organization change', async () => {
  const { send } = await createTestScanner(server, org);
  await send([1, 2, 3].map((line) => createScanResult({ line, content: `${line}` })));
  const first = await counted();
  expect(first?.count).toBe(0);
  expect(await counted()).toEqual(first);

  const other = await server.make.organization();
  const scanner = await createTestScanner(server, other);
  await scanner.send([createScanResult({ content: 'other' })]);
  expect(await counted()).toEqual(first);

  await server.services.database.withOrg(org.id, assignAll);
  const second = await counted();
  expect(second?.count).toBe(3);
  expect(await counted()).toEqual(second);
  expect((await counted(other.id))?.count).toBe(0);
});

test('counts once for requests at the same time', async () => {
  await server.services.database.withOrg(org.id, assignAll);
  const times = await Promise.all(Array.from({ length: 5 }, async () => (await counted())?.at));
  expect(new Set(times).size).toBe(1);
});

test('does not share the count of a transaction that has changed findings', async () => {
  const before = await counted();
  await expect(
    server.services.database.withOrg(org.id, async (tx) => {
      await tx.db.updateTable('finding').set({ assignee_id: null }).where('org_id', '=', org.id).execute();
      expect((await countAssigned(tx, org.id))?.count).toBe(0);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await counted()).toEqual(before);
});
