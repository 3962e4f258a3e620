import {
  connectHost,
  disconnectHost,
  getHostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
} from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import type { GitlabScope } from '@sightline/sandbox/gitlab/instance.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SandboxGitlab, startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { removeHooksOfInstallation } from './forget.ts';
import { syncHook } from './sync-hook.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGitlab;
let server: TestServer;
let acme: TestOrganization;
let id: string;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGitlab([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});
beforeEach(async () => {
  acme = await server.make.organization();
  onHost().length = 0;
});

const params = { provider: 'gitlab' } as const;
const call: ReturnType<TestServer['as']> = (endpoint, input) => server.as(acme.owner, acme.id)(endpoint, input);
/** The webhooks at the host. */
const onHost = () => sandbox.sandbox.gitlab.kept.hooks;

/** Connects with a new token, selects the first group and enables the only repository. */
async function connected(scopes: GitlabScope[] = ['api']): Promise<void> {
  await call(connectHost, { params, body: { token: sandbox.tokenOf('ada', scopes) } });
  const workspaces = await call(listHostWorkspaces, { params });
  await call(selectHostWorkspaces, { params, body: { ids: workspaces.slice(0, 1).map(({ id }) => id) } });
  await choose(true);
}
async function choose(tracked: boolean): Promise<void> {
  const { providerRepos } = await call(listProviderRepos, {});
  const owners = Object.entries(providerRepos.gitlab ?? {});
  id = owners[0]?.[1][0]?.id ?? '';
  const gitlab = Object.fromEntries(
    owners.map(([owner, list]) => [owner, list.map((one) => ({ id: one.id, tracked }))]),
  );
  await call(enableRepositories, { body: { providerRepos: { gitlab } } });
}
const sync = () => syncHook(server.services, acme.id, id);
const rows = () =>
  server.services.database.withOrg(acme.id, async ({ db }) => ({
    hooks: await db.selectFrom('code_host_hook').where('org_id', '=', acme.id).selectAll().execute(),
    grants: await db.selectFrom('code_host_grant').where('org_id', '=', acme.id).selectAll().execute(),
    installations: await db.selectFrom('installation').where('org_id', '=', acme.id).selectAll().execute(),
  }));
const webhooks = async () => (await call(getHostConnection, { params })).connection?.webhooks;

test('keeps one webhook per enabled repository across repeated runs, and none when disabled', async () => {
  await connected();
  await sync();
  await sync();
  const [hook] = (await rows()).hooks;
  expect(onHost()).toHaveLength(1);
  expect(hook?.host_hook_id).toBe(String(onHost()[0]?.id));
  expect(onHost()[0]).toMatchObject({ url: `${server.config.PUBLIC_URL}/api/webhooks/gitlab?hook=${hook?.id}` });
  expect(await webhooks()).toMatchObject({ created: 1, failed: 0 });
  await choose(false);
  await sync();
  expect(onHost()).toEqual([]);
  expect((await rows()).hooks).toEqual([]);
});

test('reports a token that cannot create webhooks and recovers with a better one', async () => {
  await connected(['read_api']);
  await sync();
  expect(onHost()).toEqual([]);
  expect(await webhooks()).toMatchObject({ created: 0, failed: 1, failure: expect.any(String) });
  await call(connectHost, { params, body: { token: sandbox.tokenOf() } });
  await sync();
  expect(await webhooks()).toMatchObject({ created: 1, failed: 0 });
});

test('removes the webhook on disconnect first and deletes its credentials afterwards', async () => {
  await connected();
  await sync();
  const [installation] = (await rows()).installations;
  const installationId = installation?.installation_id ?? '';
  await call(disconnectHost, { params });
  expect((await rows()).grants.some(({ secret }) => secret !== null)).toBe(true);
  await removeHooksOfInstallation(server.services, acme.id, { provider: 'gitlab', installationId });
  expect(onHost()).toEqual([]);
  const { hooks, grants } = await rows();
  expect(hooks).toEqual([]);
  expect(grants.every(({ secret, refresh }) => secret === null && refresh === null)).toBe(true);
});

test('keeps credentials until the webhook is removed after disconnecting without a selected workspace', async () => {
  await connected();
  await sync();
  const installationId = (await rows()).installations[0]?.installation_id ?? '';
  await call(selectHostWorkspaces, { params, body: { ids: [] } });
  await call(disconnectHost, { params });
  expect((await rows()).grants.map(({ secret }) => secret)).toEqual([expect.anything()]);
  await removeHooksOfInstallation(server.services, acme.id, { provider: 'gitlab', installationId });
  expect(onHost()).toEqual([]);
  expect((await rows()).grants.map(({ secret }) => secret)).toEqual([null]);
});

test('deletes credentials after three days even if the host is unavailable', async () => {
  await connected();
  await sync();
  const key = { provider: 'gitlab', installationId: (await rows()).installations[0]?.installation_id ?? '' } as const;
  await call(disconnectHost, { params });
  await sandbox.control('faults', { match: '/hooks/', status: 500, times: 50 });
  await expect(removeHooksOfInstallation(server.services, acme.id, key)).rejects.toThrow();
  expect((await rows()).grants.some(({ secret }) => secret !== null)).toBe(true);
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .updateTable('installation')
      .set({ deleted_at: new Date(Date.now() - 4 * 86_400_000) })
      .execute(),
  );
  await removeHooksOfInstallation(server.services, acme.id, key);
  const { hooks, grants } = await rows();
  expect(hooks).toMatchObject([{ failure: expect.stringContaining('has not responded') }]);
  expect(grants.every(({ secret }) => secret === null)).toBe(true);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});

test('records a webhook that cannot be removed and deletes the secret anyway', async () => {
  await connected();
  await sync();
  const [installation] = (await rows()).installations;
  await call(disconnectHost, { params });
  await sandbox.control('faults', { match: '/hooks/', status: 403, times: 5 });
  await removeHooksOfInstallation(server.services, acme.id, {
    provider: 'gitlab',
    installationId: installation?.installation_id ?? '',
  });
  const { hooks, grants } = await rows();
  expect(hooks).toMatchObject([{ failed_at: expect.any(Date), failure: expect.stringContaining('403') }]);
  expect(grants.every(({ secret }) => secret === null)).toBe(true);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});

test('removes webhook and secret of an organization archived meanwhile and creates no new ones', async () => {
  await connected();
  await sync();
  const [installation] = (await rows()).installations;
  const key = { provider: 'gitlab', installationId: installation?.installation_id ?? '' } as const;
  await call(disconnectHost, { params });
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db.updateTable('organization').set({ archived_at: new Date() }).where('id', '=', acme.id).execute(),
  );
  await removeHooksOfInstallation(server.services, acme.id, key);
  expect(onHost()).toEqual([]);
  const { hooks, grants } = await rows();
  expect([hooks, grants.every(({ secret }) => secret === null)]).toEqual([[], true]);
});

test('creates no webhook for an archived organization', async () => {
  await connected();
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db.updateTable('organization').set({ archived_at: new Date() }).where('id', '=', acme.id).execute(),
  );
  await sync();
  expect([onHost(), (await rows()).hooks]).toEqual([[], []]);
});
