import {
  disconnectGithub,
  finalizeGithubInstall,
  getGithubStatus,
  initiateGithubInstall,
  listGithubInstallations,
} from '@sightline/contract/sources/github.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import {
  refusalOf,
  startTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { uninstallApp } from './disconnect.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let other: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  [story, other] = [await createStory(), await createStory('gadgets')];
  sandbox = await startSandboxGithub([story.path, other.path]);
  server = await startTestServer({ environment: sandbox.environment });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
  await other.remove();
});
beforeEach(async () => {
  acme = await organization('Acme');
});
// The sandbox returns the same installation for an account each time: unbind it for the next test.
afterEach(async () => {
  sandbox.sandbox.host.installations.clear();
  for (const orgId of orgIds.splice(0)) {
    await server.services.database.withOrg(orgId, ({ db }) =>
      db.updateTable('installation').set({ deleted_at: new Date() }).execute(),
    );
  }
});

const orgIds: string[] = [];
const organization = async (name: string) => {
  const created = await server.make.organization(name);
  orgIds.push(created.id);
  return created;
};
const asOwner = (org = acme) => server.as(org.owner, org.id);
const begin = async (org = acme, account: TestAccount = org.owner, redirectURL = '/repositories?from=github') => {
  const { installationURL } = await server.as(account, org.id)(initiateGithubInstall, { query: { redirectURL } });
  return new URL(installationURL).searchParams.get('state') ?? '';
};
const finish = (query: Record<string, string>, org = acme, account: TestAccount = org.owner) =>
  server.as(account, org.id)(finalizeGithubInstall, { query: { installation_id: '1', ...query } });
const connect = async (org = acme) => {
  const { id } = sandbox.install();
  const state = await begin(org);
  const code = sandbox.codeFor(sandbox.user('ada'));
  return { id: String(id), state, answer: await finish({ installation_id: String(id), state, code }, org) };
};
const rows = (org = acme) =>
  server.services.database.withOrg(org.id, async ({ db }) => ({
    installations: await db.selectFrom('installation').selectAll().execute(),
    repositories: await db.selectFrom('repository').selectAll().orderBy('name').execute(),
    audit: await db.selectFrom('audit_event').select(['action', 'subject_id', 'actor_id']).execute(),
    // Without the entries of memberships.
    ledger: await db
      .selectFrom('ledger_known')
      .where('kind', '<>', 'member.changed')
      .select(['kind', 'entry_id'])
      .execute(),
  }));

test('binds and records an installation and lists its repositories', async () => {
  expect(await asOwner()(getGithubStatus, {})).toEqual({
    active: false,
    settingsURL: null,
    state: 'not_connected',
    accounts: [],
    sandbox: false,
  });
  const { id, answer } = await connect();
  expect(answer).toEqual({ redirectURL: '/repositories?from=github' });
  expect(await asOwner()(getGithubStatus, {})).toMatchObject({
    active: true,
    settingsURL: `${sandbox.sandbox.url}/settings/installations/${id}`,
    state: 'active',
    accounts: ['sandbox'],
  });
  const { installations, repositories, audit, ledger } = await rows();
  expect(installations).toMatchObject([{ installation_id: id, created_by: acme.owner.id }]);
  expect(repositories.map(({ full_name, tracked }) => [full_name, tracked])).toEqual([
    ['sandbox/gadgets', false],
    ['sandbox/widgets', false],
  ]);
  expect(audit).toEqual([{ action: 'integration.connected', subject_id: id, actor_id: acme.owner.id }]);
  expect(ledger).toEqual([
    { kind: 'audit.integration.connected', entry_id: installations[0]?.connection_entry },
    { kind: 'repository.listed', entry_id: expect.any(String) },
  ]);
});

test('finishes a connection idempotently, also concurrently', async () => {
  const { id, state } = await connect();
  expect(await finish({ installation_id: id, state })).toEqual({ redirectURL: '/repositories?from=github' });
  expect((await rows()).audit).toHaveLength(1);

  const secondState = await begin();
  const query = { installation_id: id, state: secondState, code: sandbox.codeFor(sandbox.user('ada')) };
  const answers = await Promise.all([finish(query), finish(query)]);
  expect(answers).toEqual([answers[0], answers[0]]);
  expect((await rows()).audit).toHaveLength(2);
});

test('accepts a state only for one installation, one account and one organization', async () => {
  const { id, state } = await connect();
  const code = () => sandbox.codeFor(sandbox.user('ada'));
  const forbidden = { status: 403, code: 'forbidden' };
  expect(await refusalOf(finish({ installation_id: '12345', state, code: code() }))).toEqual(forbidden);
  expect(await refusalOf(finish({ installation_id: id, state: 'guessed', code: code() }))).toEqual(forbidden);

  const otherOrg = await organization('Theirs');
  expect(await refusalOf(finish({ installation_id: id, state, code: code() }, otherOrg))).toEqual(forbidden);
  const colleague = await server.make.member(acme.id, 'rol_owner');
  const fresh = await begin();
  expect(await refusalOf(finish({ installation_id: id, state: fresh, code: code() }, acme, colleague))).toEqual(
    forbidden,
  );
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .updateTable('install_state')
      .set({ expires_at: new Date(0) })
      .where('used_at', 'is', null)
      .execute(),
  );
  expect(await refusalOf(finish({ installation_id: id, state: fresh, code: code() }))).toEqual(forbidden);
});

test('rejects a forged installation and stores nothing', async () => {
  const forbidden = { status: 403, code: 'forbidden' };
  const { id } = sandbox.install();
  const state = await begin();
  // A GitHub user without access to the account of the installation.
  const outsider = { ...sandbox.user('bob'), id: 4_000_000, login: 'mallory', emails: ['mallory@example.com'] };
  sandbox.sandbox.host.users.byLogin.set('mallory', outsider);
  const installation_id = String(id);
  expect(await refusalOf(finish({ installation_id, state, code: sandbox.codeFor(outsider) }))).toEqual(forbidden);
  expect(await refusalOf(finish({ installation_id, state, code: 'made-up' }))).toEqual(forbidden);
  expect(await refusalOf(finish({ installation_id, state }))).toEqual(forbidden);
  const code = sandbox.codeFor(sandbox.user('ada'));
  expect(await refusalOf(finish({ installation_id: '424242', state, code }))).toEqual(forbidden);
  expect(await rows()).toEqual({ installations: [], repositories: [], audit: [], ledger: [] });
});

test('rejects an installation that is bound to another organization', async () => {
  const otherOrg = await organization('Theirs');
  const { id } = await connect(otherOrg);
  const state = await begin();
  const code = sandbox.codeFor(sandbox.user('ada'));
  expect(await refusalOf(finish({ installation_id: id, state, code }))).toEqual({ status: 409, code: 'conflict' });
  expect((await rows()).installations).toEqual([]);
  expect((await rows(otherOrg)).installations).toHaveLength(1);
});

const installedOnGithub = (id: string) => sandbox.sandbox.host.installations.has(Number(id));
const disconnect = (installationId: string, org = acme, account = org.owner) =>
  server.as(account, org.id)(disconnectGithub, { params: { installationId } });

test('disconnects an account on both sides, stops offering its repositories and records the actor', async () => {
  const { id } = await connect();
  await syncRepositories(server.services, acme.id, 'github', id);
  const [connected] = await asOwner()(listGithubInstallations, {});
  expect(connected).toMatchObject({ id, account: 'sandbox', suspendedAt: null, repositories: 2 });
  expect(await disconnect(id)).toBeNull();
  expect(await asOwner()(listGithubInstallations, {})).toEqual([]);
  expect(await asOwner()(getGithubStatus, {})).toMatchObject({ state: 'not_connected', accounts: [] });
  const { repositories, audit } = await rows();
  expect(repositories.map(({ removed_at }) => removed_at !== null)).toEqual([true, true]);
  expect(audit).toContainEqual({ action: 'integration.disconnected', subject_id: id, actor_id: acme.owner.id });
  await uninstallApp(server.services, acme.id, id);
  expect(installedOnGithub(id)).toBe(false);
  // A job may run twice.
  await uninstallApp(server.services, acme.id, id);
  expect(await refusalOf(disconnect(id))).toEqual({ status: 404, code: 'not_found' });
});

test('does not uninstall an installation that was connected again meanwhile', async () => {
  const { id } = await connect();
  await disconnect(id);
  await connect(await organization('Theirs'));
  await uninstallApp(server.services, acme.id, id);
  expect(installedOnGithub(id)).toBe(true);
});

test('connects a second account beside the first and disconnects each separately', async () => {
  const { id } = await connect();
  await syncRepositories(server.services, acme.id, 'github', id);
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .insertInto('installation')
      .values({
        org_id: acme.id,
        provider: 'github',
        installation_id: '4711',
        account_login: 'other',
        html_url: 'https://github.example/other',
        created_by: acme.owner.id,
        suspended_at: new Date(),
      })
      .execute(),
  );
  const listed = async () =>
    (await asOwner()(listGithubInstallations, {})).map(({ account, repositories, suspendedAt }) => [
      account,
      repositories,
      suspendedAt !== null,
    ]);
  expect(await listed()).toEqual([
    ['other', 0, true],
    ['sandbox', 2, false],
  ]);
  await disconnect('4711');
  expect(await listed()).toEqual([['sandbox', 2, false]]);
  expect((await rows()).repositories.map(({ removed_at }) => removed_at)).toEqual([null, null]);
  expect(await asOwner()(getGithubStatus, {})).toMatchObject({ state: 'active', accounts: ['sandbox'] });
  expect(installedOnGithub(id)).toBe(true);
});

test('refuses to disconnect an account of another organization or without permission', async () => {
  const { id } = await connect();
  const otherOrg = await organization('Theirs');
  expect(await refusalOf(disconnect(id, otherOrg))).toEqual({ status: 404, code: 'not_found' });
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  expect(await refusalOf(disconnect(id, acme, contributor))).toMatchObject({ status: 403 });
  expect(await asOwner()(getGithubStatus, {})).toMatchObject({ state: 'active' });
});

test('accepts a return without a state only for a bound installation', async () => {
  expect(await refusalOf(finish({ installation_id: '1' }))).toEqual({ status: 403, code: 'forbidden' });
  const { id } = await connect();
  expect(await finish({ installation_id: id, setup_action: 'update' })).toEqual({ redirectURL: '/' });
});

test('waits for an owner on GitHub after an installation request', async () => {
  const state = await begin();
  expect(await finish({ installation_id: '0', state, setup_action: 'request' })).toEqual({
    redirectURL: '/repositories?from=github',
  });
  expect(await asOwner()(getGithubStatus, {})).toMatchObject({ state: 'waiting_for_approval', active: false });
  await connect();
  expect(await asOwner()(getGithubStatus, {})).toMatchObject({ state: 'active' });
});

test('checks permissions, input and organization', async () => {
  const otherOrg = await organization('Theirs');
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  expect(await refusalOf(asOwner()(initiateGithubInstall, { query: { orgId: otherOrg.id } }))).toMatchObject({
    status: 404,
  });
  expect(await refusalOf(begin(acme, contributor))).toMatchObject({ status: 403 });
  expect(await refusalOf(finish({}, acme, contributor))).toMatchObject({ status: 403 });
  for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    expect(await refusalOf(begin(acme, acme.owner, path)), path).toMatchObject({ status: 400 });
  }
  expect(await refusalOf(finish({ installation_id: 'x' }))).toMatchObject({ status: 400 });
  expect(await refusalOf(server.as(undefined)(getGithubStatus, {}))).toMatchObject({ status: 401 });
  expect(await server.as(contributor, acme.id)(getGithubStatus, {})).toMatchObject({ state: 'not_connected' });
});

test('updates repositories from GitHub and keeps enabled repositories enabled', async () => {
  const { id } = await connect();
  const { database } = server.services;
  await database.withOrg(acme.id, ({ db }) => db.updateTable('repository').set({ tracked: true }).execute());
  const [widgets] = sandbox.sandbox.host.repositories.filter(({ name }) => name === 'widgets');
  sandbox.install([widgets?.id ?? 0]);
  await syncRepositories(server.services, acme.id, 'github', id);
  const states = async () =>
    (await rows()).repositories.map(({ name, tracked, removed_at }) => [name, tracked, removed_at !== null]);
  expect(await states()).toEqual([
    ['gadgets', true, true],
    ['widgets', true, false],
  ]);
  sandbox.install('all');
  await syncRepositories(server.services, acme.id, 'github', id);
  expect(await states()).toEqual([
    ['gadgets', true, false],
    ['widgets', true, false],
  ]);
});

test('reports a server without a GitHub app', async () => {
  const bareServer = await startTestServer();
  const org = await bareServer.make.organization();
  const call = bareServer.as(org.owner, org.id);
  expect(await call(getGithubStatus, {})).toMatchObject({ state: 'not_configured', active: false });
  expect(await refusalOf(call(initiateGithubInstall, {}))).toEqual({ status: 409, code: 'conflict' });
  await bareServer.close();
});
