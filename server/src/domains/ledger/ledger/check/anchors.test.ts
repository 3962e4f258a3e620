import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { startTimeStampingAuthority, type TimeStampingAuthority } from '#testing/time-stamps.ts';
import { addAnchor } from '../anchors/commands.ts';
import { publishTo } from '../anchors/publish-checkpoint.ts';
import { sequenceEntries } from '../sequence.ts';
import { checkLedger } from './check.ts';

let server: TestServer;
let superuser: pg.Client;
let authority: TimeStampingAuthority;
let org: TestOrganization;
beforeAll(async () => {
  authority = await startTimeStampingAuthority('ec');
  server = await startTestServer({ destinations: ['127.0.0.1'] });
  superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  // Like an attacker with full access to the database: without triggers.
  await superuser.query("set session_replication_role = 'replica'");
});
beforeEach(async () => {
  org = await server.make.organization();
  const actor = await server.services.database.withOrg(org.id, async ({ db }) => {
    const { person_id } = await db
      .selectFrom('identity')
      .select('person_id')
      .where('org_id', '=', org.id)
      .where('value', '=', org.owner.id)
      .executeTakeFirstOrThrow();
    return { orgId: org.id, accountId: org.owner.id, personId: person_id, requestId: 'test' };
  });
  const { anchor } = await addAnchor(server.services, actor as never, {
    kind: 'rfc3161',
    party: 'Clock',
    everyHours: 24,
    secret: '',
    settings: { url: authority.url, certificates: authority.root },
  });
  while ((await sequenceEntries(server.services.ledger, org.id)) > 0);
  await publishTo(server.services, { orgId: org.id, anchorId: anchor.id });
});
afterAll(async () => {
  await superuser.end();
  await server.close();
  await authority.close();
});

const problems = async () => (await checkLedger(server.services, org.id))?.problems ?? [];

test('reports no problem for a log that extends its published checkpoints', async () => {
  expect(await problems()).toEqual([]);
});

test.each([
  ['is missing', 'delete from ledger_checkpoint where org_id = $1'],
  ['is not a prefix of the log', 'update ledger_checkpoint set root = sha256(root) where org_id = $1'],
  [
    'does not match its timestamp',
    `update ledger_checkpoint set note = replace(note, chr(10) || size || chr(10), chr(10) || size + 1 || chr(10)) where org_id = $1`,
  ],
])('reports a published checkpoint that %s', async (message, statement) => {
  await superuser.query(statement, [org.id]);
  expect(await problems()).toContainEqual(
    expect.objectContaining({ what: 'anchor', message: expect.stringContaining(`published to Clock ${message}`) }),
  );
});
