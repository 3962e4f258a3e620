import type { Provider } from '@sightline/contract/core/providers.ts';
import { connectHost, listHostWorkspaces, selectHostWorkspaces } from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createApiToken } from '@sightline/sandbox/bitbucket/bitbucket.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listOperatorEntries } from '#core/operator-log.ts';
import { type SandboxGitlab, startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sampleUnlessFull } from '../../../scripts/full-suite.ts';
import { syncHook } from '../domains/sources/host-hooks/sync-hook.ts';
import { createCheckmarxHelpers } from '../domains/vulnerabilities/scanners/checkmarx-connected.fixture.ts';
import { syncScannerScans } from '../domains/vulnerabilities/scanners/sync.ts';
import { operatorCliOf } from './testing/in-process.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGitlab;
let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGitlab([story.path]);
  const { url, bitbucket } = sandbox.sandbox;
  const { clientId, clientSecret } = sandbox.config;
  server = await startTestServer({
    environment: {
      ...sandbox.environment,
      BITBUCKET_URL: bitbucket.url,
      BITBUCKET_CLIENT_ID: clientId,
      BITBUCKET_CLIENT_SECRET: clientSecret,
      CHECKMARX_BASE_URL: url,
    },
  });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});
beforeEach(async () => {
  acme = await server.make.organization();
});

const rotate = () => operatorCliOf(server).ask<{ keys: { app: boolean; webhooks: number } }>('keys', 'rotate-webhooks');

const inOrg: TestServer['services']['database']['withOrg'] = (...args) => server.services.database.withOrg(...args);

const deliveries = () =>
  inOrg(acme.id, async ({ db }) => {
    const rows = await db.selectFrom('webhook_delivery').where('org_id', '=', acme.id).select('delivery_id').execute();
    return rows.length;
  });

let commits = 0;
/** Whether the server accepts the webhook of the host for a commit. */
async function accepts(hook: { url: string }): Promise<boolean> {
  // A test server is not reachable at its PUBLIC_URL.
  hook.url = hook.url.replace(/^.*(?=\/api\/)/, server.url);
  const before = await deliveries();
  commits += 1;
  await story.commit(`Commit ${commits}`, { 'count.txt': `${commits}` });
  await sandbox.sandbox.refresh();
  return (await deliveries()) > before;
}

/** Enables the repository on a host. Returns its ID. */
async function enable(provider: Exclude<Provider, 'github'>): Promise<string> {
  const call = server.as(acme.owner, acme.id);
  const params = { provider };
  const { bitbucket } = sandbox.sandbox;
  const body =
    provider === 'gitlab'
      ? { token: sandbox.tokenOf() }
      : { token: createApiToken(bitbucket, sandbox.user('ada')), email: 'ada@example.org' };
  await call(connectHost, { params, body });
  const workspaces = await call(listHostWorkspaces, { params });
  await call(selectHostWorkspaces, { params, body: { ids: workspaces.map(({ id }) => id) } });
  const { providerRepos } = await call(listProviderRepos, {});
  const [[owner, [repository]] = ['', []]] = Object.entries(providerRepos[provider] ?? {});
  const id = repository?.id ?? '';
  await call(enableRepositories, { body: { providerRepos: { [provider]: { [owner]: [{ id, tracked: true }] } } } });
  await syncHook(server.services, acme.id, id);
  return id;
}

/** Ends the grace period of the previous secret. */
const endGrace = () =>
  inOrg(acme.id, async ({ db }) => {
    const past = new Date(Date.now() - 1000);
    await db.updateTable('code_host_hook').set({ previous_until: past }).where('org_id', '=', acme.id).execute();
    await db.updateTable('integration').set({ previous_hook_until: past }).where('org_id', '=', acme.id).execute();
  });

const hooksOn = {
  gitlab: () => sandbox.sandbox.gitlab.kept.hooks,
  bitbucket: () => sandbox.sandbox.bitbucket.hooks,
};

test.each(sampleUnlessFull(['gitlab', 'bitbucket'] as const, 1, 0))(
  'rotates the secret of a webhook on %s without losing a delivery',
  async (provider) => {
    const hooks = hooksOn[provider];
    hooks().length = 0;
    const id = await enable(provider);
    const [hook] = hooks();
    if (!hook) throw new Error('no webhook');
    const old = { ...hook };
    expect(await accepts(hook)).toBe(true);

    await rotate();
    await rotate();
    expect(await accepts(hook)).toBe(true);
    await syncHook(server.services, acme.id, id);
    expect(hooks()).toHaveLength(1);
    const { url: _, ...changed } = hook;
    expect(old).not.toMatchObject(changed);
    expect(await accepts(hook)).toBe(true);

    const current = { ...hook };
    Object.assign(hook, old);
    expect(await accepts(hook)).toBe(true);
    await endGrace();
    expect(await accepts(hook)).toBe(false);
    Object.assign(hook, current);
    expect(await accepts(hook)).toBe(true);
  },
);

test('preserves the previous secret while the host refuses the new one, and retries later', async () => {
  const hooks = hooksOn.gitlab;
  hooks().length = 0;
  const id = await enable('gitlab');
  const [hook] = hooks();
  if (!hook) throw new Error('no webhook');
  await sandbox.control('faults', { match: '/hooks/', status: 403, times: 5 });
  await rotate();
  await syncHook(server.services, acme.id, id);
  expect(await accepts(hook)).toBe(true);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await rotate();
  await syncHook(server.services, acme.id, id);
  await endGrace();
  expect(await accepts(hook)).toBe(true);
});

test('rotates the secret of the webhook at Checkmarx One', async () => {
  const { kept } = sandbox.sandbox.tenant;
  kept.webhooks.length = 0;
  const { connect, scan } = createCheckmarxHelpers(
    () => server,
    () => sandbox,
  );
  const isAccepted = async () => {
    const before = await deliveries();
    await scan({ project: 'sandbox/widgets' });
    return (await deliveries()) > before;
  };
  await connect(acme);
  await syncScannerScans(server.services, { orgId: acme.id, scanner: 'checkmarx' });
  const [old] = structuredClone(kept.webhooks);
  expect(await isAccepted()).toBe(true);
  await rotate();
  expect(await isAccepted()).toBe(true);
  await syncScannerScans(server.services, { orgId: acme.id, scanner: 'checkmarx' });
  const [current] = kept.webhooks;
  expect(kept.webhooks).toHaveLength(1);
  expect(current?.id).not.toBe(old?.id);
  expect(await isAccepted()).toBe(true);
  if (!old) throw new Error('no webhook');
  kept.webhooks.splice(0, 1, old);
  expect(await isAccepted()).toBe(true);
  await endGrace();
  expect(await isAccepted()).toBe(false);
});

test('records the rotation in the operator log', async () => {
  const { keys } = await rotate();
  expect(keys).toMatchObject({ app: false, webhooks: expect.any(Number) });
  expect(await server.services.database.global((tx) => listOperatorEntries(tx, 1))).toMatchObject([
    { action: 'keys.webhooks_rotated', data: { app: false, webhooks: keys.webhooks } },
  ]);
});
