import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tx } from '#database/database.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { queueImport } from '../imports/commands.ts';
import { webhookHelpers } from '../webhooks/deliveries.fixture.ts';
import { reconcileRepository } from './reconcile.ts';

// The server receives no webhooks here: the sandbox has no URL to send them to.
let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

const { enableOnly, inOrg } = webhookHelpers(() => server);
const inAcme = <Result>(work: (tx: Tx) => Promise<Result>) => inOrg(acme.id, work);

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment, jobs: true });
  acme = await server.make.organization();
  repositoryId = await enableOnly(acme, sandbox);
  await inAcme((tx) => queueImport(server.services, tx, acme.id, repositoryId));
  await vi.waitFor(
    async () => {
      const row = await inAcme(({ db }) => db.selectFrom('repository_import').select('state').executeTakeFirst());
      expect(row?.state).toBe('done');
    },
    { timeout: 20_000 },
  );
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const storedResult = () =>
  inAcme(({ db }) =>
    db
      .selectFrom('repository_reconcile')
      .where('org_id', '=', acme.id)
      .select(['healed', 'failure'])
      .executeTakeFirstOrThrow(),
  );
const reconcile = () => reconcileRepository(server.services, acme.id, repositoryId);
const card = async () => {
  const cards = await server.as(acme.owner, acme.id)(listIntegrations, {});
  return cards.find(({ name }) => name === 'github');
};

test('recovers nothing and shows no note when no event was missed', async () => {
  await reconcile();
  expect(await storedResult()).toEqual({ healed: 0, failure: null });
  expect((await card())?.notes).toEqual([]);
});

test('imports, counts and reports commits and pull requests that no webhook announced', async () => {
  story.git(['checkout', '--quiet', '-b', 'feature/missed']);
  await story.commit('Not announced', { 'missed.txt': 'm\n' });
  story.git(['checkout', '--quiet', 'main']);
  const aside = await story.commit('Not announced either', { 'aside.txt': 'a\n' });
  const merged = story.merge('feature/missed', 'Merge pull request #41 from sandbox/feature/missed\n\nMissed');
  await sandbox.sandbox.refresh();
  await reconcile();
  const { rows, pulls } = await inAcme(async ({ db }) => ({
    rows: await db
      .selectFrom('commit')
      .where('org_id', '=', acme.id)
      .where('sha', 'in', [aside, merged])
      .select(['sha', 'files', 'branch'])
      .execute(),
    pulls: await db
      .selectFrom('pull_request')
      .where('org_id', '=', acme.id)
      .where('merge_sha', '=', merged)
      .select('status')
      .execute(),
  }));
  expect(rows).toHaveLength(2);
  expect(rows.every(({ files, branch }) => Array.isArray(files) && branch === 'main')).toBe(true);
  expect(pulls).toEqual([{ status: 'accepted' }]);
  const { healed } = await storedResult();
  expect(healed).toBeGreaterThanOrEqual(4);
  expect((await card())?.notes).toEqual([`${healed} changes were missed by webhooks in the last week and recovered.`]);
  await reconcile();
  expect((await storedResult()).healed).toBe(healed);
});

test('records a refusal by the code host and retries on the next run', async () => {
  // Only the commit list: jobs of the test above may still read single commits or pull requests.
  await sandbox.control('faults', { match: '/repos/[^/]+/[^/]+/commits\\?', status: 403, times: 1 });
  await reconcile();
  expect((await storedResult()).failure).toContain('403');
  await reconcile();
  expect((await storedResult()).failure).toBeNull();
});

test('sends no requests for a repository that is disabled or still importing', async () => {
  const aside = await story.commit('After that', { 'late.txt': 'l\n' });
  await sandbox.sandbox.refresh();
  const isKnown = () =>
    inAcme(async ({ db }) => {
      const rows = await db
        .selectFrom('commit')
        .where('org_id', '=', acme.id)
        .where('sha', '=', aside)
        .select('sha')
        .execute();
      return rows.length > 0;
    });
  const set = (tracked: boolean, state: string) =>
    inAcme(async ({ db }) => {
      await db.updateTable('repository').set({ tracked }).where('id', '=', repositoryId).execute();
      await db.updateTable('repository_import').set({ state }).where('repository_id', '=', repositoryId).execute();
    });
  await set(false, 'done');
  await reconcile();
  await set(true, 'running');
  await reconcile();
  expect(await isKnown()).toBe(false);
  await set(true, 'done');
  await reconcile();
  expect(await isKnown()).toBe(true);
});
