import {
  authorizeHost,
  connectHost,
  disconnectHost,
  finishHost,
  getHostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
  testHost,
} from '@sightline/contract/sources/host-connections.ts';
import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SandboxGitlab, startSandboxGitlab } from '#providers/gitlab/sandbox.fixture.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGitlab;
let server: TestServer;
let acme: TestOrganization;

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
  acme = await server.make.organization('Acme');
});

const params = { provider: 'gitlab' } as const;
const asOwner = (org = acme) => server.as(org.owner, org.id);
const connect = (token = sandbox.tokenOf(), org = acme) => asOwner(org)(connectHost, { params, body: { token } });
const pick = async (...paths: string[]) => {
  const scopes = await asOwner()(listHostWorkspaces, { params });
  const ids = scopes.filter(({ path }) => paths.includes(path)).map(({ id }) => id);
  return asOwner()(selectHostWorkspaces, { params, body: { ids } });
};
const signIn = async (login = 'ada', org = acme) => {
  const { authorizationURL } = await asOwner(org)(authorizeHost, { params, query: { redirectURL: '/repositories' } });
  const back = await sandbox.authorize(authorizationURL, login);
  return { state: back.searchParams.get('state') ?? '', code: back.searchParams.get('code') ?? '' };
};
const rows = (org = acme) =>
  server.services.database.withOrg(org.id, async ({ db }) => ({
    grants: await db.selectFrom('code_host_grant').selectAll().orderBy('created_at').execute(),
    installations: await db.selectFrom('installation').selectAll().orderBy('account_login').execute(),
    repositories: await db.selectFrom('repository').selectAll().orderBy('name').execute(),
    audit: await db.selectFrom('audit_event').select(['id', 'action', 'subject_id', 'data']).orderBy('id').execute(),
  }));

test('connects with a token, stores it encrypted and never returns it', async () => {
  expect(await asOwner()(getHostConnection, { params })).toEqual({
    provider: 'gitlab',
    oauth: true,
    defaultURL: sandbox.baseURL,
    selfManaged: true,
    acceptsEmail: false,
    sandboxPage: null,
    connection: null,
  });
  const token = sandbox.tokenOf();
  const { connection } = await connect(token);
  expect(connection).toEqual({
    kind: 'token',
    baseURL: sandbox.baseURL,
    login: 'ada',
    display: `…${token.slice(-4)}`,
    connectedAt: expect.any(String),
    failure: null,
    missing: [],
    workspaces: [],
    webhooks: { created: 0, failed: 0, failure: null },
  });
  const { grants, audit } = await rows();
  expect(JSON.stringify({ grants, audit })).not.toContain(token);
  expect(grants[0]?.secret?.toString()).not.toContain(token);
  expect(audit.map(({ id, action }) => [id, action])).toEqual([[grants[0]?.connection_entry, 'integration.connected']]);
});

test('selects groups and lists their projects under the full group path', async () => {
  await connect();
  const scopes = await asOwner()(listHostWorkspaces, { params });
  expect(scopes.map(({ path, selected }) => [path, selected])).toEqual([
    ['sandbox', false],
    ['sandbox/code', false],
  ]);
  // A selected group includes its subgroups.
  const { connection } = await pick('sandbox', 'sandbox/code');
  expect(connection?.workspaces).toMatchObject([{ path: 'sandbox', repositories: 1 }]);
  const { providerRepos } = await asOwner()(listProviderRepos, {});
  expect(providerRepos).toMatchObject({
    gitlab: { 'sandbox/code': [{ name: 'widgets', fullName: 'sandbox/code/widgets', tracked: false }] },
  });
  const narrower = await pick('sandbox/code');
  expect(narrower.connection?.workspaces).toMatchObject([{ path: 'sandbox/code', repositories: 1 }]);
  expect((await pick()).connection?.workspaces).toEqual([]);
  const { repositories, audit } = await rows();
  expect(repositories).toMatchObject([{ removed_at: expect.any(Date) }]);
  expect(audit.map(({ action }) => action)).toEqual([
    ...['integration.connected', 'integration.connected', 'integration.connected'],
    ...['integration.disconnected', 'integration.disconnected'],
  ]);
});

test('rejects a workspace that cannot be selected', async () => {
  await connect();
  const unavailable = asOwner()(selectHostWorkspaces, { params, body: { ids: ['4711'] } });
  await expect(unavailable).rejects.toMatchObject({ status: 400, refusal: { details: [{ field: 'ids' }] } });
  expect((await rows()).installations).toEqual([]);
});

test('rejects a wrong token, a token without scope and an invalid URL without changes', async () => {
  const wrong = connect('glpat-of-nobody');
  await expect(wrong).rejects.toMatchObject({ status: 400, refusal: { details: [{ field: 'token' }] } });
  const poor = connect(sandbox.tokenOf('ada', ['read_user']));
  await expect(poor).rejects.toMatchObject({ status: 400, refusal: { message: expect.stringContaining('read_api') } });
  for (const baseURL of ['https://10.0.0.1', 'ftp://example.com', 'two words']) {
    const elsewhere = asOwner()(connectHost, { params, body: { baseURL, token: 'x' } });
    await expect(elsewhere).rejects.toMatchObject({ status: 400, refusal: { details: [{ field: 'baseURL' }] } });
  }
  await sandbox.control('faults', { match: '/gitlab/api/v4/user$', status: 503, times: 5 });
  expect(await refusalOf(connect())).toMatchObject({ status: 502 });
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  expect(await rows()).toMatchObject({ grants: [], audit: [] });
});

test('connects with a read-only token and states the limitation', async () => {
  const { connection } = await connect(sandbox.tokenOf('ada', ['read_api']));
  expect(connection?.missing).toEqual([expect.stringContaining('cannot create webhooks')]);
});

test('connects by sign-in once, and only for the member who started it', async () => {
  const answer = await signIn();
  const other = await server.make.member(acme.id, 'rol_owner');
  const byOther = server.as(other, acme.id)(finishHost, { params, body: answer });
  expect(await refusalOf(byOther)).toMatchObject({ status: 403 });
  expect(await asOwner()(finishHost, { params, body: answer })).toEqual({ redirectURL: '/repositories' });
  expect(await asOwner()(finishHost, { params, body: answer })).toEqual({ redirectURL: '/repositories' });
  const { grants, audit } = await rows();
  expect(grants).toMatchObject([{ kind: 'oauth', login: 'ada', scopes: ['api'], expires_at: expect.any(Date) }]);
  expect(audit.map(({ action }) => action)).toEqual(['integration.connected']);
  expect((await asOwner()(listHostWorkspaces, { params })).length).toBe(2);
});

test('rejects a wrong code and a state of another organization', async () => {
  const { state, code } = await signIn();
  const wrong = asOwner()(finishHost, { params, body: { state, code: 'made up' } });
  expect(await refusalOf(wrong)).toMatchObject({ status: 403 });
  const globex = await server.make.organization('Globex');
  const elsewhere = asOwner(globex)(finishHost, { params, body: { state, code } });
  expect(await refusalOf(elsewhere)).toMatchObject({ status: 403 });
  expect((await rows()).grants).toEqual([]);
});

test('renews expired access and reports revoked access', async () => {
  await asOwner()(finishHost, { params, body: await signIn() });
  await sandbox.control('gitlab/expire-tokens', {});
  expect((await asOwner()(listHostWorkspaces, { params })).length).toBe(2);
  await sandbox.control('gitlab/revoke-tokens', {});
  expect(await refusalOf(asOwner()(listHostWorkspaces, { params }))).toMatchObject({ status: 409 });
  const { connection } = await asOwner()(getHostConnection, { params });
  expect(connection?.failure).toContain('Connect it again');
});

test('keeps the selection with another token and discards it with another URL', async () => {
  await connect();
  await pick('sandbox');
  const { connection } = await connect(sandbox.tokenOf('bob'));
  expect(connection).toMatchObject({ login: 'bob', workspaces: [{ path: 'sandbox', repositories: 1 }] });
  const { grants, installations } = await rows();
  expect(grants.map(({ ended_at, secret }) => [ended_at === null, secret === null])).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(installations).toMatchObject([{ grant_id: grants[1]?.id, deleted_at: null }]);
  // Another URL of the same GitLab counts as another host.
  const elsewhere = sandbox.baseURL.replace('127.0.0.1', 'localhost');
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db.updateTable('code_host_grant').set({ base_url: elsewhere }).where('org_id', '=', acme.id).execute(),
  );
  expect((await connect()).connection).toMatchObject({ login: 'ada', workspaces: [] });
});

test('continues imports that failed with the rejected token, of enabled repositories only', async () => {
  await connect();
  await pick('sandbox');
  const importState = (enabled: boolean) =>
    server.services.database.withOrg(acme.id, async ({ db }) => {
      const { id } = await db
        .updateTable('repository')
        .set({ tracked: enabled })
        .where('org_id', '=', acme.id)
        .returning('id')
        .executeTakeFirstOrThrow();
      const failed = { state: 'failed', error: 'The host rejects this token.', phase: 'pull_requests' } as const;
      await db
        .insertInto('repository_import')
        .values({ org_id: acme.id, repository_id: id, ...failed })
        .onConflict((conflict) => conflict.columns(['org_id', 'repository_id']).doUpdateSet(failed))
        .execute();
      return () =>
        server.services.database.withOrg(acme.id, (tx) =>
          tx.db
            .selectFrom('repository_import')
            .where('org_id', '=', acme.id)
            .where('repository_id', '=', id)
            .select(['state', 'error', 'phase'])
            .executeTakeFirstOrThrow(),
        );
    });
  const disabled = await importState(false);
  await connect(sandbox.tokenOf('bob'));
  expect(await disabled()).toMatchObject({ state: 'failed' });
  const enabled = await importState(true);
  await connect();
  expect(await enabled()).toEqual({ state: 'queued', error: null, phase: 'pull_requests' });
});

test('reconciles with another token what webhooks reported meanwhile, in enabled repositories only', async () => {
  await connect();
  await pick('sandbox');
  const queuedFor = async (tracked: boolean) => {
    const { id } = await server.services.database.withOrg(acme.id, ({ db }) =>
      db
        .updateTable('repository')
        .set({ tracked })
        .where('org_id', '=', acme.id)
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await connect(sandbox.tokenOf(tracked ? 'ada' : 'bob'));
    const { rows } = await server.services.database.pool.query(
      `select from pgboss.job where name = 'reconcile.repository' and singleton_key = $1`,
      [id],
    );
    return rows.length;
  };
  expect(await queuedFor(false)).toBe(0);
  expect(await queuedFor(true)).toBe(1);
});

test('deletes the token on disconnect and keeps imported data', async () => {
  await connect();
  await pick('sandbox');
  await asOwner()(disconnectHost, { params });
  await asOwner()(disconnectHost, { params });
  expect((await asOwner()(getHostConnection, { params })).connection).toBeNull();
  expect(await refusalOf(asOwner()(listHostWorkspaces, { params }))).toMatchObject({ status: 409 });
  const { repositories, installations } = await rows();
  expect(installations).toMatchObject([{ deleted_at: expect.any(Date) }]);
  expect(repositories).toMatchObject([{ full_name: 'sandbox/code/widgets', removed_at: expect.any(Date) }]);
});

test('hides the connection from members other than owners and rejects their changes', async () => {
  await connect();
  const auditor = server.as(await server.make.member(acme.id, 'rol_auditor'), acme.id);
  expect(await refusalOf(auditor(getHostConnection, { params }))).toMatchObject({ status: 403 });
  expect(await refusalOf(auditor(connectHost, { params, body: { token: 'x' } }))).toMatchObject({ status: 403 });
  expect(await refusalOf(auditor(disconnectHost, { params }))).toMatchObject({ status: 403 });
});

test('tests the connection with the stored token', async () => {
  expect(await refusalOf(asOwner()(testHost, { params }))).toMatchObject({ status: 409 });
  await connect();
  expect(await asOwner()(testHost, { params })).toEqual({ ok: true, problem: null, missing: [] });
  await sandbox.control('faults', { match: '/gitlab/api/v4', status: 401, times: 10 });
  expect(await asOwner()(testHost, { params })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('rejects this token'),
  });
});
