import { finalizeGithubInstall, initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import { enableRepositories, getRepository, listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let backfilled: TestServer;
let webhookServer: TestServer;
let importOrg: TestOrganization;
let webhookOrg: TestOrganization;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  backfilled = await startTestServer({ environment: sandbox.environment, jobs: true });
  webhookServer = await startTestServer({ environment: sandbox.environment, jobs: true });
  importOrg = await connected(backfilled);
  webhookOrg = await connected(webhookServer);
});
afterAll(async () => {
  await Promise.all([backfilled.close(), webhookServer.close()]);
  await sandbox.close();
  await story.remove();
});

/** An organization that is connected to the installation of the sandbox, like by a user. */
async function connected(server: TestServer): Promise<TestOrganization> {
  const organization = await server.make.organization();
  const call = server.as(organization.owner, organization.id);
  const { id } = sandbox.install();
  const { installationURL } = await call(initiateGithubInstall, {});
  const state = new URL(installationURL).searchParams.get('state') ?? '';
  const code = sandbox.codeFor(sandbox.user('ada'));
  await call(finalizeGithubInstall, { query: { installation_id: String(id), state, code } });
  return organization;
}

const callOf = (server: TestServer, organization: TestOrganization) => server.as(organization.owner, organization.id);

async function enable(server: TestServer, organization: TestOrganization): Promise<string> {
  const call = callOf(server, organization);
  const { providerRepos } = await call(listProviderRepos, {});
  const owners = Object.entries(providerRepos.github ?? {});
  const chosen = owners.map(([owner, list]) => [owner, list.map(({ id }) => ({ id, tracked: true }))]);
  await call(enableRepositories, { body: { providerRepos: { github: Object.fromEntries(chosen) } } });
  return owners[0]?.[1][0]?.fullName ?? '';
}

const detail = async (server: TestServer, organization: TestOrganization, repoPath: string) =>
  callOf(server, organization)(getRepository, { params: { provider: 'github', repoPath } });

/** All rows of an import, without columns that differ between databases. */
const facts = (server: TestServer, orgId: string) =>
  server.services.database.withOrg(orgId, async ({ db }) => ({
    commits: await db
      .selectFrom('commit')
      .select([
        'sha',
        'author_name',
        'author_email',
        'author_login',
        'authored_at',
        'committer_name',
        'committed_at',
        'message',
        'branch',
        'parents',
        'trailers',
        'files',
        'additions',
        'deletions',
      ])
      .orderBy('sha')
      .execute(),
    pullRequests: await db
      .selectFrom('pull_request')
      .select([
        'number',
        'title',
        'status',
        'author_login',
        'created_at',
        'merged_at',
        'closed_at',
        'closed_by_login',
        'base_ref',
        'head_ref',
        'head_sha',
        'merge_sha',
        'additions',
        'deletions',
        'changed_files',
        'commits',
      ])
      .orderBy('number')
      .execute(),
    reviews: await db
      .selectFrom('review')
      .select(['number', 'review_id', 'login', 'state', 'sha', 'submitted_at'])
      .orderBy('number')
      .orderBy('review_id')
      .execute(),
    contributors: await db
      .selectFrom('contributor')
      .select(['name', 'email', 'login', 'commits', 'last_commit'])
      .orderBy('email')
      .execute(),
    events: (await db.selectFrom('event').select(['kind', 'as_of', 'pr', 'source', 'summary']).execute())
      .map((row) => ({ ...row, summary: String(row.summary) }))
      .sort((a, b) => a.summary.localeCompare(b.summary)),
  }));

test('imports the commits of git log, and the same rows by webhooks', async () => {
  const repoPath = await enable(backfilled, importOrg);
  await vi.waitFor(async () => expect((await detail(backfilled, importOrg, repoPath)).import?.state).toBe('done'), {
    timeout: 30_000,
    interval: 100,
  });
  const done = await detail(backfilled, importOrg, repoPath);
  const log = story
    .git(['log', '--format=%H%x09%an%x09%aI', 'main'])
    .split('\n')
    .map((line) => line.split('\t'));
  expect(done.counts.commits).toBe(log.length);
  expect(done.import).toMatchObject({
    commits: { done: log.length, total: log.length },
    files: { done: log.length, total: log.length },
  });
  const imported = await facts(backfilled, importOrg.id);
  const expected = log
    .map(([sha = '', name, date = '']) => ({ sha, name, date: new Date(date).toISOString() }))
    .sort((a, b) => (a.sha < b.sha ? -1 : 1));
  expect(
    imported.commits.map((commit) => ({
      sha: commit.sha,
      name: commit.author_name,
      date: commit.authored_at.toISOString(),
    })),
  ).toEqual(expected);

  // The other server does not import the history but receives it in webhooks.
  await webhookServer.services.database.withOrg(webhookOrg.id, ({ db }) =>
    db.updateTable('repository').set({ tracked: true }).execute(),
  );
  sandbox.sandbox.deliverTo(`${webhookServer.url}/api/webhooks/github`);
  await sandbox.control('replay', { repository: repoPath });
  await sandbox.sandbox.settled();
  await vi.waitFor(
    async () => {
      const open = await webhookServer.services.database.withOrg(webhookOrg.id, ({ db }) =>
        db.selectFrom('webhook_delivery').where('processed_at', 'is', null).select('delivery_id').execute(),
      );
      expect(open).toEqual([]);
    },
    { timeout: 30_000, interval: 100 },
  );
  const received = await facts(webhookServer, webhookOrg.id);
  expect(received.commits).toEqual(imported.commits);
  expect(received.pullRequests).toEqual(imported.pullRequests);
  expect(received.reviews).toEqual(imported.reviews);
  expect(received.contributors).toEqual(imported.contributors);
  expect(received.events).toEqual(imported.events);
});

test('appends a ledger entry for every fact of the code host', async () => {
  const { events, entries } = await backfilled.services.database.withOrg(importOrg.id, async ({ db }) => ({
    events: await db.selectFrom('event').select(['id', 'leaf_hash']).execute(),
    entries: await db.selectFrom('ledger_known').select(['entry_id', 'leaf_hash', 'entry']).execute(),
  }));
  const leaves = new Map(entries.map((entry) => [entry.entry_id, entry.leaf_hash?.toString('hex')]));
  expect(events.length).toBeGreaterThan(5);
  expect(events.map((event) => leaves.get(event.id))).toEqual(events.map((event) => event.leaf_hash.toString('hex')));
  // Entries contain no names or addresses, only commitments under the key of the person.
  expect(entries.filter(({ entry }) => /lovelace|example\.org|login/i.test(entry ?? ''))).toEqual([]);
});

test('shows commits and pull requests in the timeline, and the events of one pull request in its context', async () => {
  const call = callOf(backfilled, importOrg);
  const all = await call(queryEvents, { body: {} });
  expect(all.reachedEnd).toBe(true);
  expect(new Set(all.events.map((event) => event.type))).toEqual(new Set(['commit', 'pull_request']));
  const [context] = await backfilled.services.database.withOrg(importOrg.id, ({ db }) =>
    db.selectFrom('pull_request').select(['context_id', 'number']).where('number', '=', 7).execute(),
  );
  const seven = await call(queryEvents, { body: { context: context?.context_id } });
  expect(seven.events.length).toBeGreaterThanOrEqual(2);
  expect(seven.events.every((event) => event.summary.parameters[1]?.display === '#7')).toBe(true);
});
