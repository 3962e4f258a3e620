import { createPolicy } from '@sightline/contract/compliance/policies.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { shareTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { addChanges, addRepository } from '../domains/compliance/snapshots/changes.fixture.ts';
import { checkLedger } from '../domains/ledger/ledger/check/check.ts';
import { sequenceAndSign } from '../domains/ledger/ledger/commands.ts';
import { recordDailySightings } from '../domains/tools/tools/sightings.ts';

// Lists at a ledger size show these rows, so that the self-check compares them with their entries.

let server: TestServer;
let org: TestOrganization;
let superuser: pg.Client;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  // Connects with full permissions on the database, as an attacker might have.
  await superuser.query("set session_replication_role = 'replica'");
  await server.make.member(org.id, 'rol_contributor');
  const repository = await addRepository(server.services, org.id, 'widgets');
  await addChanges(server.services, org.id, repository, { from: '2026-07-02T00:00:00.000Z', count: 3 });
  const sighting = { tab: 'ci/cd', holder: 'repository', holderId: repository, version: '1', at: new Date() } as const;
  await server.services.database.withOrg(org.id, (tx) =>
    recordDailySightings(
      tx,
      org.id,
      ['eslint', 'jest'].map((toolId) => ({ ...sighting, toolId })),
    ),
  );
  await server.as(org.owner, org.id)(createPolicy, { body: policy });
  await sequenceAndSign(server.services.ledger, org.id);
}, 60_000);
afterAll(async () => {
  await superuser?.end();
  await server?.close();
});

const policy = {
  name: 'Four eyes',
  kind: 'merge',
  mode: 'observe',
  scope: { repositories: null, branches: [], tools: [] },
  settings: { 'CHG-01': { approvals: 1 } },
} as never;

const messages = async () =>
  ((await checkLedger(server.services, org.id))?.problems ?? []).map(({ what, message }) => `${what}: ${message}`);

test.each([
  [
    'member_change',
    `update member_change set role_id = 'rol_owner' where org_id = $1 and role_id = 'rol_contributor'`,
    'a change of a membership does not match',
  ],
  [
    'tool_sighting',
    `update tool_sighting set version = '2' where org_id = $1 and tool_id = 'jest'`,
    'a list of tool sightings does not match',
  ],
  ['policy', `update policy set settings = '{}' where org_id = $1`, 'a version of a policy does not match'],
  [
    'change_record',
    `update change_record set parts = parts || '{"labels":{"state":"complete","value":["urgent"]}}'
     where org_id = $1 and id = (select id from change_record where org_id = $1 order by id limit 1)`,
    'a record of a change does not match',
  ],
])('the self-check locates changed and deleted rows of %s', async (table, statement, message) => {
  expect(await messages()).toEqual([]);
  const kept = `kept_${newId().replaceAll('-', '')}`;
  await superuser.query(`create table ${kept} as select * from ${table} where org_id = '${org.id}'`);
  expect((await superuser.query(statement, [org.id])).rowCount).toBe(1);
  expect(await messages()).toEqual([expect.stringContaining(`state: ${message}`)]);
  await superuser.query(`delete from ${table} where org_id = $1`, [org.id]);
  // The audit log shows a deleted policy.
  if (table !== 'policy') expect(await messages()).toContainEqual(expect.stringMatching(/^state: entry \d+ records a/));
  await superuser.query(`insert into ${table} select * from ${kept}`);
  await superuser.query(`drop table ${kept}`);
  expect(await messages()).toEqual([]);
});
