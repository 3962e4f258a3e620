import { flagDefaults, flagNames } from '@sightline/contract/core/flags.ts';
import {
  listFeatureFlags,
  postFeatureFlagsQuery,
  reportFlagUsage,
} from '@sightline/contract/identity/feature-flags.ts';
import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { copyOperatorEntriesToAuditLogs, listOperatorEntries, recordOperatorEntry } from '#core/operator-log.ts';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { setFlag } from './commands.ts';
import { flagJobs } from './jobs.ts';
import { type FlagScope, listFlagUsage } from './queries.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const set = (scope: FlagScope, enabled: boolean | undefined, name: (typeof flagNames)[number] = 'dashboards') =>
  setFlag(server.services, scope, { name, enabled, operator: 'olga' });

const on = async (...who: Parameters<TestServer['as']>): Promise<string[]> =>
  (await server.as(...who)(listFeatureFlags, {})).toggles.map(({ name }) => name).toSorted();

/** A flag is cached for 5 seconds. */
const polling = { timeout: 12_000, interval: 250 };

/** The flags of the specification, section 4. */
const thirteen = [
  ...(['extendedSettings', 'graphPreview', 'businessRoles', 'vulnerabilitiesEtl', 'dashboards', 'codecov'] as const),
  ...(['jira', 'dependabotInIntegrations', 'notificationSystem', 'release2', 'accountLinking'] as const),
  ...(['vulnerabilities', 'exploreDebuggingUi'] as const),
];
const defaults = flagNames.filter((name) => flagDefaults[name]).toSorted();

describe('the evaluation of flags', () => {
  test('returns the defaults on both endpoints', { tags: 'full' }, async () => {
    const { owner, id } = await server.make.organization();
    expect(await on(owner, id)).toEqual(defaults);
    const { toggles } = await server.as(owner, id)(postFeatureFlagsQuery, { body: { context: { userId: 'x' } } });
    expect(toggles.map(({ name }) => name).toSorted()).toEqual(defaults);
    await Promise.all(thirteen.map((name) => set({ orgId: id }, true, name)));
    await expect.poll(() => on(owner, id), polling).toEqual(thirteen.toSorted());
  });

  test('prefers account over organization over global values, and falls back after removal', {
    tags: 'full',
  }, async () => {
    const acme = await server.make.organization('Acme');
    const other = await server.make.organization('Other');
    const friend = await server.make.member(acme.id, 'rol_reviewer');
    await set({ orgId: acme.id }, true);
    await set({ accountId: friend.id }, false);
    await expect.poll(() => on(acme.owner, acme.id), polling).toContain('dashboards');
    await expect.poll(() => on(friend, acme.id), polling).not.toContain('dashboards');
    expect(await on(other.owner, other.id)).not.toContain('dashboards');
    expect(await on(acme.owner)).not.toContain('dashboards');
    // A token may contain an organization that its account has left.
    expect(await on(other.owner, acme.id)).not.toContain('dashboards');

    expect(await set({ orgId: acme.id }, undefined)).toBe(true);
    await expect.poll(() => on(acme.owner, acme.id), polling).not.toContain('dashboards');
  });

  test('identifies the caller by the token, regardless of the client context', async () => {
    const rich = await server.make.organization('Rich');
    const poor = await server.make.organization('Poor');
    await set({ orgId: rich.id }, true, 'jira');
    await expect.poll(() => on(rich.owner, rich.id), polling).toContain('jira');
    const query = { userId: rich.owner.id, 'properties[orgId]': rich.id };
    const { toggles } = await server.as(poor.owner, poor.id)(listFeatureFlags, { query });
    expect(toggles.map(({ name }) => name)).not.toContain('jira');
  });

  test('derives the entity tag from the content, not from the time', { tags: 'full' }, async () => {
    const { owner, id } = await server.make.organization();
    const ask = async (headers: object) =>
      server.app.inject({
        url: '/api/v2/flags/frontend?appName=test',
        headers: { authorization: `Bearer ${await server.token(owner, id)}`, ...headers },
      });
    const { etag } = (await ask({})).headers;
    expect((await ask({ 'if-none-match': etag })).statusCode).toBe(304);
    await set({ accountId: owner.id }, true, 'codecov');
    await expect.poll(async () => (await ask({ 'if-none-match': etag })).statusCode, polling).toBe(200);
  });

  test('requires a token', async () => {
    expect(await refusalOf(server.as(undefined)(listFeatureFlags, {}))).toEqual({
      status: 401,
      code: 'unauthenticated',
    });
  });
});

describe('an endpoint behind a flag', () => {
  test('is guarded by the same evaluation, for the organization of the caller', async () => {
    const { flags } = server.services;
    const shut = await server.make.organization('Shut');
    const open = await server.make.organization('Open');
    await set({ orgId: shut.id }, false, 'release2');
    const subject = ({ id, owner }: typeof shut) => ({ accountId: owner.id, orgId: id });
    await expect.poll(() => flags.isOn('release2', subject(shut)), polling).toBe(false);
    expect(await flags.isOn('release2', subject(open))).toBe(true);
  });
});

describe('a flag change is recorded', () => {
  test('in the audit log of its organization, in the transaction of the change', async () => {
    const { id } = await server.make.organization();
    await set({ orgId: id }, true);
    await set({ orgId: id }, undefined);
    expect(await auditOf(id)).toEqual([
      { actor: 'olga', for: 'this organization', before: { state: 'its default' }, after: { state: 'on' } },
      { actor: 'olga', for: 'this organization', before: { state: 'on' }, after: { state: 'its default' } },
    ]);
  });

  test('in the operator log and once in every audit log, if global', async () => {
    const first = await server.make.organization();
    const second = await server.make.organization();
    await set('everybody', true, 'graphPreview');
    await Promise.all([
      copyOperatorEntriesToAuditLogs(server.services),
      copyOperatorEntriesToAuditLogs(server.services),
    ]);
    const change = { for: 'everybody', before: { state: 'its default' }, after: { state: 'on' } };
    const log = await server.services.database.global((tx) => listOperatorEntries(tx, 10));
    expect(log[0]).toMatchObject({
      operator: 'olga',
      action: 'flag.changed',
      subject: { id: 'graphPreview' },
      data: change,
    });
    for (const { id } of [first, second]) expect(await auditOf(id)).toEqual([{ actor: 'olga', ...change }]);
  });

  test('by the job after a crash, once per organization', async () => {
    const { database } = server.services;
    const one = await server.make.organization();
    const other = await server.make.organization();
    const id = await database.global((tx) =>
      recordOperatorEntry(tx, 'olga', {
        action: 'flag.changed',
        subject: { kind: 'flag', id: 'vulnerabilitiesEtl' },
        data: { for: 'everybody', before: { state: 'off' }, after: { state: 'on' } },
      }),
    );
    const job = flagJobs(server.services).find(({ name }) => name === 'flags.broadcast');
    await job?.handle({} as never);
    await database.global(({ db }) =>
      db.updateTable('operator_entry').set({ notified_at: null }).where('id', '=', id).execute(),
    );
    await job?.handle({} as never);
    for (const org of [one, other]) expect(await auditOf(org.id)).toMatchObject([{ after: { state: 'on' } }]);
  });

  test('in operator entries that the server can neither change nor remove', async () => {
    const { pool } = server.services.database;
    await expect(pool.query(`update operator_entry set operator = 'nobody'`)).rejects.toMatchObject({ code: '42501' });
    await expect(pool.query('delete from operator_entry')).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the usage of flags', () => {
  const start = new Date().toISOString();
  const report = (toggles: Record<string, { yes: number; no: number }>) => ({
    appName: 'web',
    bucket: { start, stop: start, toggles },
  });
  const usage = async () =>
    Object.fromEntries(
      (await server.services.database.global((tx) => listFlagUsage(tx, new Date(Date.now() - 3_600_000)))).map(
        ({ name, yes, no }) => [name, [yes, no]],
      ),
    );

  test('is counted by the hour, without unknown flags', async () => {
    const account = await server.make.account();
    const call = server.as(account);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        call(reportFlagUsage, {
          body: report({ codecov: { yes: 2, no: 1 }, jira: { yes: 0, no: 3 }, surprise: { yes: 1, no: 1 } }),
        }),
      ),
    );
    expect(await usage()).toEqual({ codecov: [40, 20], jira: [0, 60] });
  });

  test('is deleted after 30 days', async () => {
    const { database } = server.services;
    const old = new Date(Date.now() - 31 * 24 * 60 * 60_000);
    await database.global(({ db }) =>
      db.insertInto('flag_usage').values({ hour: old, name: 'dashboards', yes: 7, no: 7 }).execute(),
    );
    const job = flagJobs(server.services).find(({ name }) => name === 'flags.forget');
    await job?.handle({} as never);
    const rows = await database.global(({ db }) =>
      db.selectFrom('flag_usage').select('name').where('name', '=', 'dashboards').execute(),
    );
    expect(rows).toEqual([]);
    expect(await usage()).toHaveProperty('codecov');
  });
});

test('the Unleash client works unchanged: flags, a new context, counts', async () => {
  const { owner, id } = await server.make.organization();
  const client = new UnleashClient({
    url: `${server.url}/api/v2/flags/frontend`,
    clientKey: `Bearer ${await server.token(owner, id)}`,
    appName: 'test',
    storageProvider: new InMemoryStorageProvider(),
    disableRefresh: true,
    metricsIntervalInitial: 0,
  });
  await client.start();
  expect(client.isReady()).toBe(true);
  expect(client.isEnabled('release2')).toBe(true);
  expect(client.isEnabled('businessRoles')).toBe(false);
  await client.updateContext({ userId: newId(), properties: { plan: 'free' } });
  expect(client.getError()).toBeUndefined();
  await client.sendMetrics();
  client.stop();
  const counted = await server.services.database.global((tx) => listFlagUsage(tx, new Date(Date.now() - 3_600_000)));
  expect(counted).toContainEqual({ name: 'businessRoles', yes: 0, no: 1 });
});

async function auditOf(orgId: string): Promise<unknown[]> {
  const rows = await server.services.database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select(['actor_kind', 'actor_id', 'data'])
      .where('org_id', '=', orgId)
      .where('action', '=', 'flag.changed')
      .orderBy('at')
      .orderBy('id')
      .execute(),
  );
  return rows.map(({ actor_kind, actor_id, data }) => {
    expect(actor_kind).toBe('operator');
    return { actor: actor_id, ...(data as object) };
  });
}
