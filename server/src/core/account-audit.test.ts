import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { recordOwnAccountChange } from './account-audit.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

test('records a change of an account under the person of the account in each of its organizations', async () => {
  const org = await server.make.organization();
  const account = await server.make.member(org.id, 'rol_auditor');
  const actor = { accountId: account.id, requestId: 'request', address: '192.0.2.7' };
  const { database, people } = server.services;
  await database.global((tx) =>
    recordOwnAccountChange(tx, people, actor, {
      action: 'login.recovery_codes_renewed',
      subject: { kind: 'account', id: account.id },
    }),
  );
  const entries = await database.withOrg(org.id, (tx) =>
    tx.query<{ entry: string }>({
      name: '',
      text: `select entry::text from ledger_known where org_id = $1 and kind = 'audit.login.recovery_codes_renewed'`,
      values: [org.id],
    }),
  );
  expect(entries.map(({ entry }) => JSON.parse(entry).person)).toEqual([await server.personOf(org.id, account)]);
});
