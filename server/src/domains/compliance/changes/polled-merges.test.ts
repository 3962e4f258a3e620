import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SandboxGerrit, startSandboxGerrit } from '#providers/gerrit/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { enableOn } from '../../../architecture/generated-history/code-host-fixtures.ts';
import { reconcileRepository } from '../../sources/reconcile/reconcile.ts';
import { webhookHelpers } from '../../sources/webhooks/deliveries.fixture.ts';
import { recordReaders } from './changes.fixture.ts';
import { unnamedMergeCommitOf } from './merge-content.ts';

// Gerrit sends no webhooks, and does not name the merge commits that it creates.
const story = createRepository();
const authors = { pushed: zoe, merged: ada, smuggled: ada, deleted: bob };
let sandbox: SandboxGerrit;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

const patience = { timeout: 60_000, interval: 200 };
const { inOrg } = webhookHelpers(() => server);
const rowsOf = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  inOrg(acme.id, (tx) => tx.query<Row>({ name: '', text, values: [acme.id, ...values] }));
const { recordOf, directOf } = recordReaders(rowsOf);

beforeAll(async () => {
  await story.start();
  await story.commit('First', { 'a.txt': 'a\n' });
  for (const [branch, author] of Object.entries(authors)) {
    story.git(['checkout', '--quiet', '-b', branch, 'main']);
    await story.commit(`Add ${branch}`, { [`${branch}.txt`]: '1\n' }, author);
  }
  story.git(['checkout', '--quiet', '--detach', 'main']);
  sandbox = await startSandboxGerrit([story.path]);
  server = await startTestServer({
    environment: sandbox.environment,
    jobs: true,
    codeHosts: sandbox.codeHosts,
    destinations: [sandbox.sandbox.url],
  });
  acme = await server.make.organization();
  repositoryId = await enableOn(server, acme, 'gerrit', { token: sandbox.passwordOf(), email: 'ada' });
  await vi.waitFor(async () => {
    const [row] = await rowsOf<{ state: string }>('select state from repository_import where org_id = $1');
    expect(row?.state).toBe('done');
  }, patience);
}, 90_000);
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const repository = 'sandbox/widgets';
const numberOf = (headRef: string): number =>
  sandbox.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;

/** Submits a reviewed change, or pushes its commit, and polls the host. */
async function merge(branch: keyof typeof authors, { by = 'bob', ...how }: Record<string, unknown>) {
  const number = numberOf(branch);
  await sandbox.control('review', { repository, number, by });
  await sandbox.control('merge', { repository, number, by: 'zoe-a', ...how });
  await reconcileRepository(server.services, acme.id, repositoryId);
  return { number, sha: story.git(['rev-parse', 'main']) };
}

test('the commit of a change that a direct push closed is one without a pull request', async () => {
  const { number, sha } = await merge('pushed', { method: 'squash', isPushed: true });
  expect(await directOf(sha)).toMatchObject({ merge_method: 'direct_push', number: null });
  await vi.waitFor(
    async () =>
      expect(await rowsOf('select reached_by from reached_commit where org_id = $1 and sha = $2', [sha])).toEqual([
        { reached_by: 'none' },
      ]),
    patience,
  );
  expect(
    await rowsOf('select status, merge_sha from pull_request where org_id = $1 and number = $2', [number]),
  ).toEqual([{ status: 'closed', merge_sha: null }]);
});

test.each([
  ['merged', {}, 0],
  ['smuggled', { files: { 'unseen.txt': '1\n' } }, 1],
] as const)(
  'the files of the merge commit of the change "%s" are compared with the reviewed ones',
  async (branch, how, count) => {
    const { number, sha } = await merge(branch, { method: 'merge', ...how });
    const { parts } = await recordOf(number);
    expect(parts.unreviewedFiles).toEqual({ state: 'complete', value: count });
    const originOf = (commit: string) =>
      rowsOf('select reached_by, number from reached_commit where org_id = $1 and sha = $2', [
        story.git(['rev-parse', commit]),
      ]);
    for (const commit of [sha, `${sha}^2`])
      await vi.waitFor(
        async () => expect(await originOf(commit)).toEqual([{ reached_by: 'merged_pull_request', number }]),
        patience,
      );
  },
);

test('the content of a merged commit is unknown without the push that brought it', async () => {
  const merged = { mergeSha: story.git(['rev-parse', 'main']), baseRef: 'other', mergedAt: new Date().toISOString() };
  expect(await inOrg(acme.id, (tx) => unnamedMergeCommitOf(tx, acme.id, repositoryId, merged))).toEqual({
    mergeSha: null,
    parents: null,
    push: undefined,
  });
});

test('a vote of a deleted account is one of an unknown person', async () => {
  const { number } = await merge('deleted', { method: 'squash', by: 'ghost' });
  const { approval, parts } = await recordOf(number);
  expect(parts.reviews).toMatchObject({ state: 'complete', value: [{ verdict: 'approved' }] });
  expect(approval).toBe('unknown');
});
