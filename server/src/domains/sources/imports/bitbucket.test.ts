import { finalizeGithubInstall, initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import {
  authorizeHost,
  connectHost,
  disconnectHost,
  finishHost,
  getHostConnection,
  listHostWorkspaces,
  selectHostWorkspaces,
} from '@sightline/contract/sources/host-connections.ts';
import { enableRepositories, getRepository, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tx } from '#database/database.ts';
import { type SandboxBitbucket, startSandboxBitbucket } from '#providers/bitbucket/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { queueReconcile } from '../reconcile/commands.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxBitbucket;
let server: TestServer;
let org: TestOrganization;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxBitbucket([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  org = await server.make.organization();
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const params = { provider: 'bitbucket' } as const;
const call: ReturnType<TestServer['as']> = (...input) => server.as(org.owner, org.id)(...input);
const soon = { timeout: 30_000, interval: 100 };
const repoPath = 'sandbox/widgets';

const enable = (provider: 'github' | 'bitbucket') =>
  vi.waitFor(async () => {
    const { providerRepos } = await call(listProviderRepos, {});
    const [repository] = providerRepos[provider]?.sandbox ?? [];
    if (!repository) throw new Error('no repository is offered yet');
    const chosen = { [provider]: { sandbox: [{ id: repository.id, tracked: true }] } };
    await call(enableRepositories, { body: { providerRepos: chosen } });
    return repository.id;
  }, soon);

const imported = (provider: 'github' | 'bitbucket') =>
  vi.waitFor(async () => {
    const found = await call(getRepository, { params: { provider, repoPath } });
    expect(found.import?.state).toBe('done');
    return found;
  }, soon);

const inOrg = <Result>(work: (db: Tx['db']) => Promise<Result>) =>
  server.services.database.withOrg(org.id, ({ db }) => work(db));

/** The imported data of a repository, without fields that depend on the host. */
const facts = (repositoryId: string) =>
  server.services.database.withOrg(org.id, async ({ db }) => ({
    commits: await db
      .selectFrom('commit')
      .select(['sha', 'author_name', 'author_email', 'author_login', 'authored_at', 'committed_at'])
      .select(['committer_name', 'message', 'parents', 'files', 'additions', 'deletions'])
      .where('repository_id', '=', repositoryId)
      .orderBy('sha')
      .execute(),
    pullRequests: await db
      .selectFrom('pull_request')
      .select(['number', 'title', 'status', 'author_login', 'created_at', 'merged_at', 'closed_at', 'closed_by_login'])
      .select(['base_ref', 'head_ref', 'head_sha', 'merge_sha', 'additions', 'deletions', 'changed_files', 'commits'])
      .where('repository_id', '=', repositoryId)
      .orderBy('number')
      .execute(),
    reviews: await db
      .selectFrom('review')
      .select(['number', 'login', 'state', 'sha', 'submitted_at'])
      .where('repository_id', '=', repositoryId)
      .orderBy('number')
      .orderBy('login')
      .execute(),
  }));

test('imports the same commits, pull requests and reviews from GitHub and Bitbucket', async () => {
  const { id } = sandbox.install();
  const { installationURL } = await call(initiateGithubInstall, {});
  const state = new URL(installationURL).searchParams.get('state') ?? '';
  const code = sandbox.codeFor(sandbox.user('ada'));
  await call(finalizeGithubInstall, { query: { installation_id: String(id), state, code } });
  const onGithub = await enable('github');

  expect(await call(getHostConnection, { params })).toMatchObject({
    oauth: true,
    acceptsEmail: true,
    selfManaged: false,
  });
  const { connection } = await call(connectHost, { params, body: sandbox.apiToken() });
  expect(connection).toMatchObject({ login: 'ada', kind: 'token', missing: [], failure: null });
  const scopes = await call(listHostWorkspaces, { params });
  expect(scopes).toMatchObject([{ kind: 'workspace', path: 'sandbox', selected: false }]);
  await call(selectHostWorkspaces, { params, body: { ids: scopes.map(({ id }) => id) } });
  const onBitbucket = await enable('bitbucket');

  const [github, bitbucket] = [await imported('github'), await imported('bitbucket')];
  expect(bitbucket.counts).toEqual(github.counts);
  const [expected, actual] = [await facts(onGithub), await facts(onBitbucket)];
  expect(actual).toEqual(expected);
  const scans = () => inOrg((db) => db.selectFrom('tool_scan').select(['state', 'error']).execute());
  const done = { state: 'done', error: null };
  await vi.waitFor(async () => expect(await scans()).toEqual([done, done]), soon);
  expect(actual.commits).toHaveLength(Number(story.git(['rev-list', '--count', 'main'])));
});

test('imports later pushes by its own webhook, signed with its own secret', async () => {
  const { hooks } = sandbox.sandbox.bitbucket;
  await vi.waitFor(() => expect(hooks).toHaveLength(1), soon);
  const [hook] = hooks;
  if (!hook) throw new Error('no webhook');
  expect(hook).toMatchObject({ secret: expect.stringMatching(/^[0-9a-f]{64}$/), active: true });
  hook.url = hook.url.replace(/^http:\/\/localhost:1(?=\/)/, server.url);
  const sha = await story.commit('Pushed with a webhook', { 'webhook.txt': 'x\n' });
  await sandbox.sandbox.refresh();
  await vi.waitFor(async () => {
    const row = await inOrg((db) => db.selectFrom('commit').selectAll().where('sha', '=', sha).executeTakeFirst());
    expect(row).toMatchObject({ message: 'Pushed with a webhook', author_login: 'ada', additions: 1, branch: 'main' });
  }, soon);
  const { connection } = await call(getHostConnection, { params });
  expect(connection?.webhooks).toEqual({ created: 1, failed: 0, failure: null });
});

test('reads missed pushes later and follows a renamed repository to its new name', async () => {
  const { bitbucket } = sandbox.sandbox;
  const [hook] = bitbucket.hooks;
  if (!hook) throw new Error('no webhook');
  hook.active = false;
  const sha = await story.commit('Pushed without a webhook', { 'missed.txt': 'x\n' });
  await sandbox.sandbox.refresh();
  const { id } = await inOrg((db) =>
    db.selectFrom('repository').select('id').where('provider', '=', 'bitbucket').executeTakeFirstOrThrow(),
  );
  const { services } = server;
  await services.database.withOrg(org.id, (tx) => queueReconcile(services, tx, org.id, { repositoryId: id }));
  const storedCommits = () => inOrg((db) => db.selectFrom('commit').select('message').where('sha', '=', sha).execute());
  await vi.waitFor(async () => expect(await storedCommits()).toEqual([{ message: 'Pushed without a webhook' }]), soon);
  hook.active = true;
  await sandbox.control('bitbucket/rename', { repository: repoPath, name: 'gadgets' });
  const names = () => inOrg((db) => db.selectFrom('repository').select('full_name').where('id', '=', id).execute());
  await vi.waitFor(async () => expect(await names()).toEqual([{ full_name: 'sandbox/gadgets' }]), soon);
});

test('continues to read after a change to a workspace token and then to a sign-in', async () => {
  const byToken = await call(connectHost, { params, body: sandbox.workspaceToken() });
  expect(byToken.connection).toMatchObject({ login: 'sandbox', workspaces: [{ path: 'sandbox', repositories: 1 }] });
  const { authorizationURL } = await call(authorizeHost, { params, query: { redirectURL: '/integrations' } });
  const back = await sandbox.authorize(authorizationURL, 'bob');
  const answer = { state: back.searchParams.get('state') ?? '', code: back.searchParams.get('code') ?? '' };
  expect(await call(finishHost, { params, body: answer })).toEqual({ redirectURL: '/integrations' });
  const state = await call(getHostConnection, { params });
  expect(state.connection).toMatchObject({ kind: 'oauth', login: 'bob', workspaces: [{ path: 'sandbox' }] });
  await sandbox.control('bitbucket/expire-tokens', {});
  expect(await call(listHostWorkspaces, { params })).toMatchObject([{ path: 'sandbox', selected: true }]);
});

test('connects with a token that cannot create webhooks and states the limitation', async () => {
  const poor = sandbox.workspaceToken(['account', 'repository', 'pullrequest']);
  const { connection } = await call(connectHost, { params, body: poor });
  expect(connection?.missing).toEqual([expect.stringContaining('Webhooks cannot be created')]);
});

test('removes the webhook at the host on disconnect and keeps imported data', async () => {
  await call(connectHost, { params, body: sandbox.apiToken() });
  await call(disconnectHost, { params });
  await vi.waitFor(() => expect(sandbox.sandbox.bitbucket.hooks).toEqual([]), soon);
  expect((await call(getHostConnection, { params })).connection).toBeNull();
});
