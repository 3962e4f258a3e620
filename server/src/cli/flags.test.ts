import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from './testing/in-process.ts';

let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
  acme = await server.make.organization('Acme');
});
afterAll(() => server.close());

const operator = () => operatorCliOf(server);
const flags = (...args: string[]) => operator().ask<{ flag: { on: boolean; by: string } }>('flags', ...args);

test('an account has priority over its organization, and that over the global value', async () => {
  const ofAccount = ['--email', acme.owner.email];
  const ofOrganization = ['--org', acme.id];
  expect(await flags('set', 'jira', 'on')).toEqual({ flag: { name: 'jira', on: true, by: 'set globally' } });
  expect(await flags('set', 'jira', 'off', ...ofOrganization)).toMatchObject({
    flag: { on: false, by: 'set for the organization' },
  });
  expect(await flags('set', 'jira', 'on', ...ofAccount)).toMatchObject({
    flag: { on: true, by: 'set for the account' },
  });
  const stateOf = async (...target: string[]) => {
    const { flags: listed } = await operator().ask<{ flags: { name: string; on: boolean; by: string }[] }>(
      'flags',
      'list',
      ...target,
    );
    return listed.find(({ name }) => name === 'jira');
  };
  expect(await stateOf(...ofAccount)).toMatchObject({ on: true, by: 'set for the account' });
  expect(await stateOf(...ofOrganization)).toMatchObject({ on: false });
  expect(await flags('unset', 'jira', ...ofAccount)).toMatchObject({ flag: { on: true, by: 'set globally' } });
  expect(await flags('unset', 'jira', ...ofOrganization)).toMatchObject({ flag: { by: 'set globally' } });
  expect(await flags('unset', 'jira')).toMatchObject({ flag: { on: false, by: 'by default' } });
});

test('shows the usage of each flag of some days', async () => {
  const { usage } = await operator().ask<{ usage: { yes: number; no: number }[] }>('flags', 'usage', '--days', '2');
  expect(usage.length).toBeGreaterThan(3);
  const { code, out } = await operator().cli(['flags', 'usage']);
  expect([code, out]).toEqual([0, expect.stringContaining('not used')]);
});

test.each([
  ['an unknown flag', ['set', 'unknown', 'on'], 'unknown'],
  ['another state', ['set', 'jira', 'maybe'], 'must be on or off'],
  ['an organization and an account', ['set', 'jira', 'on', '--org', 'a', '--email', 'b@x.example'], 'together'],
  ['too many days', ['usage', '--days', '31'], 'from 1 to 30'],
])('rejects %s', async (_, args, message) => {
  const { code, complaint } = await operator().cli(['flags', ...args]);
  expect([code, complaint]).toEqual([expect.toSatisfy((one: number) => one !== 0), expect.stringContaining(message)]);
});
