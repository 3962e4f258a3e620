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
  await control('review', { number, by: 'bob' });
  await vi.waitFor(() => expect(statusesOf(head).at(-1)).toBe('success'), { timeout: 30_000, interval: 200 });
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
