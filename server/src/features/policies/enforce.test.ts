import { listIntegrations } from '@sightline/contract/integrations.ts';
import { createPolicy, deletePolicy, tryPolicy } from '@sightline/contract/policies.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startWorld } from '../changes/changes.fixture.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.close());

/** What the host knows of our status of a commit, the newest last. */
const statusesOf = (sha: string) =>
  world.github.sandbox.host.repositories[0]?.git.planted.checks
    .filter((check) => check.isStatus && check.name === 'sightline/policy' && check.sha === sha)
    .map(({ conclusion }) => conclusion) ?? [];

/** What stands at a pull request, the oldest first. */
const commentsOn = (number: number) =>
  world.github.sandbox.host.comments.all
    .filter((comment) => comment.number === number && !comment.isDeleted)
    .map(({ body }) => body);

test('an open pull request is told by its status whether it keeps what is enforced, again after each change', async () => {
  const { server, acme, control, numberOf, story } = world;
  const owner = server.as(acme.owner, acme.id);
  const number = numberOf('one');
  await control('push', { branch: 'one', by: 'zoe-a', files: { 'one.txt': '3\n' } });
  const head = story.git(['rev-parse', 'one']);
  const said = {
    ...{ kind: 'merge' as const, scope: { repositories: null, branches: [], tools: [] } },
    settings: { 'CHG-01': { approvals: 1 } },
  };
  expect(statusesOf(head)).toEqual([]);
  await owner(tryPolicy, { body: said });
  const { id } = await owner(createPolicy, { body: { ...said, name: 'Four eyes', mode: 'enforce' } });
  await vi.waitFor(() => expect(statusesOf(head).at(-1)).toBe('failure'), { timeout: 30_000, interval: 200 });
  await vi.waitFor(() => expect(commentsOn(number)).toEqual([expect.stringContaining('a policy is not kept')]), {
    timeout: 30_000,
    interval: 200,
  });
  expect(commentsOn(number)[0]).toContain('CHG-01');
  await control('review', { number, by: 'bob' });
  await vi.waitFor(() => expect(statusesOf(head).at(-1)).toBe('success'), { timeout: 30_000, interval: 200 });
  // The same comment, not another one.
  await vi.waitFor(() => expect(commentsOn(number)).toEqual([expect.stringContaining('the policies are kept')]), {
    timeout: 30_000,
    interval: 200,
  });
  await owner(deletePolicy, { params: { policyId: id } });
  const before = statusesOf(head).length;
  await control('push', { branch: 'one', by: 'zoe-a', files: { 'one.txt': '4\n' } });
  const next = story.git(['rev-parse', 'one']);
  await vi.waitFor(
    async () => {
      const [row] = await world.rowsOf<{ head_sha: string }>(
        'select head_sha from pull_request where org_id = $1 and number = $2',
        [number],
      );
      expect(row?.head_sha).toBe(next);
    },
    { timeout: 30_000, interval: 200 },
  );
  expect([statusesOf(head).length, statusesOf(next)]).toEqual([before, []]);
});

const later = { timeout: 30_000, interval: 200 };

test('a policy that warns comments once, writes a deleted comment anew, and says on the page of integrations what it may not', async () => {
  const { server, acme, control, numberOf, github } = world;
  const owner = server.as(acme.owner, acme.id);
  const number = numberOf('two');
  const body = {
    ...{ name: 'Two of us', kind: 'merge' as const, scope: { repositories: null, branches: [], tools: [] } },
    ...{ settings: { 'CHG-01': { approvals: 2 } }, mode: 'warn' as const },
  };
  const { id } = await owner(createPolicy, { body });
  await vi.waitFor(() => expect(commentsOn(number)).toHaveLength(1), later);
  const [first] = github.sandbox.host.comments.all.filter((comment) => comment.number === number);
  if (!first) throw new Error('no comment');
  first.isDeleted = true;
  await control('push', { branch: 'two', by: 'zoe-a', files: { 'two.txt': '3\n' } });
  await vi.waitFor(() => expect(commentsOn(number)).toHaveLength(1), later);
  const head = world.story.git(['rev-parse', 'two']);
  expect(commentsOn(number)[0]).toContain(head.slice(0, 12));
  expect(statusesOf(head)).toEqual([]);

  const [installation] = github.sandbox.host.installations.values();
  if (!installation) throw new Error('no installation');
  const missing = async () =>
    (await owner(listIntegrations, {})).flatMap((one) => (one.name === 'github' ? one.missing : []));
  installation.permissions.pull_requests = 'read';
  await control('push', { branch: 'two', by: 'zoe-a', files: { 'two.txt': '4\n' } });
  await vi.waitFor(async () => expect((await missing()).join()).toContain('let us write no comment'), later);
  installation.permissions.pull_requests = 'write';
  await control('push', { branch: 'two', by: 'zoe-a', files: { 'two.txt': '5\n' } });
  await vi.waitFor(async () => expect((await missing()).join()).not.toContain('let us write no comment'), later);
  await owner(deletePolicy, { params: { policyId: id } });
});
