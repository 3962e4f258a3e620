import {
  createPolicy,
  deletePolicy,
  dryRunPolicy,
  dryRunProposedPolicy,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { approvePolicyChange } from '#testing/policies.ts';
import { startWorld } from '../changes/changes.fixture.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 120_000);
afterAll(() => world.close());

/** The statuses of Sightline on a commit, newest last. */
const statusesOf = (sha: string) =>
  world.github.sandbox.host.repositories[0]?.git.planted.checks
    .filter((check) => check.isStatus && check.name === 'sightline/policy' && check.sha === sha)
    .map(({ conclusion }) => conclusion) ?? [];

/** The comments on a pull request, oldest first. */
const commentsOn = (number: number) =>
  world.github.sandbox.host.comments.all
    .filter((comment) => comment.number === number && !comment.isDeleted)
    .map(({ body }) => body);

const later = { timeout: 30_000, interval: 200 };

test('comments once in warn mode, recreates a deleted comment, and reports missing permissions under integrations', {
  tags: 'full',
  timeout: 120_000,
}, async () => {
  const { server, acme, control, numberOf, github } = world;
  const owner = server.as(acme.owner, acme.id);
  const number = numberOf('two');
  const body = {
    name: 'Two of us',
    kind: 'merge' as const,
    scope: { repositories: null, branches: [], tools: [] },
    settings: { 'CHG-01': { approvals: 2 } },
    mode: 'warn' as const,
  };
  const { policy } = await owner(createPolicy, { body });
  const id = policy?.id ?? '';
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
  await vi.waitFor(async () => expect((await missing()).join()).toContain('denied comments'), later);
  installation.permissions.pull_requests = 'write';
  await control('push', { branch: 'two', by: 'zoe-a', files: { 'two.txt': '5\n' } });
  await vi.waitFor(async () => expect((await missing()).join()).not.toContain('denied comments'), later);
  await approvePolicyChange(server, acme, await owner(deletePolicy, { params: { policyId: id } }));
  await vi.waitFor(() => expect(commentsOn(number)).toEqual([expect.stringContaining('no policy applies')]), later);
});

test('updates the status of an open pull request with enforced policy compliance after each change', {
  tags: ['full'],
  timeout: 180_000,
}, async () => {
  const { server, acme, control, numberOf, story } = world;
  const owner = server.as(acme.owner, acme.id);
  const number = numberOf('one');
  await control('push', { branch: 'one', by: 'zoe-a', files: { 'one.txt': '3\n' } });
  const head = story.git(['rev-parse', 'one']);
  const rules = {
    kind: 'merge' as const,
    scope: { repositories: null, branches: [], tools: [] },
    settings: { 'CHG-01': { approvals: 1 } },
  };
  expect(statusesOf(head)).toEqual([]);
  await owner(dryRunProposedPolicy, { body: rules });
  const { policy } = await owner(createPolicy, { body: { ...rules, name: 'Four eyes', mode: 'enforce' } });
  const id = policy?.id ?? '';
  await vi.waitFor(() => expect(statusesOf(head).at(-1)).toBe('failure'), later);
  await vi.waitFor(() => expect(commentsOn(number)).toEqual([expect.stringContaining('policy violation')]), later);
  expect(commentsOn(number)[0]).toContain('CHG-01');
  await control('review', { number, by: 'bob' });
  await vi.waitFor(() => expect(statusesOf(head).at(-1)).toBe('success'), later);
  // The comment is updated, not duplicated.
  await vi.waitFor(
    () => expect(commentsOn(number)).toEqual([expect.stringContaining('no known policy violations')]),
    later,
  );
  const before = statusesOf(head).length;
  await control('push', { branch: 'one', by: 'zoe-a', files: { 'one.txt': '4\n' } });
  const next = story.git(['rev-parse', 'one']);
  await vi.waitFor(() => expect(statusesOf(next).at(-1)).toBe('failure'), later);
  expect(statusesOf(head)).toHaveLength(before);

  const params = { policyId: id };
  const observing = { ...rules, name: 'Four eyes', mode: 'observe', version: 1 } as const;
  const { version } = await approvePolicyChange(server, acme, await owner(updatePolicy, { params, body: observing }));
  await vi.waitFor(() => expect(statusesOf(next).at(-1)).toBe('success'), later);
  await vi.waitFor(() => expect(commentsOn(number)).toEqual([expect.stringContaining('no policy applies')]), later);

  await owner(dryRunPolicy, { params, body: rules });
  await owner(updatePolicy, { params, body: { ...rules, name: 'Four eyes', mode: 'enforce', version } });
  await vi.waitFor(() => expect(statusesOf(next).at(-1)).toBe('failure'), later);
  await approvePolicyChange(server, acme, await owner(deletePolicy, { params }));
  await vi.waitFor(() => expect(statusesOf(next).at(-1)).toBe('success'), later);

  // A required status that never arrives would block the merge forever.
  await control('push', { branch: 'one', by: 'zoe-a', files: { 'one.txt': '5\n' } });
  const last = story.git(['rev-parse', 'one']);
  await vi.waitFor(() => expect(statusesOf(last).at(-1)).toBe('success'), later);
});

test('evaluates a stored policy without a parameter value using the default', {
  tags: 'full',
  timeout: 60_000,
}, async () => {
  const { acme, control, inAcme, story } = world;
  // As stored by a version of Sightline without the parameter.
  await inAcme(({ db }) =>
    db
      .insertInto('policy')
      .values({
        org_id: acme.id,
        id: newId(),
        version: 1,
        name: 'Older',
        kind: 'merge',
        mode: 'enforce',
        author: acme.owner.id,
        valid_from: new Date(),
        scope: JSON.stringify({ repositories: null, branches: [], tools: [] }),
        settings: JSON.stringify({ 'CHG-01': { branches: [] } }),
        entry_id: newId(),
      })
      .execute(),
  );
  await control('push', { branch: 'three', by: 'zoe-a', files: { 'three.txt': '3\n' } });
  const head = story.git(['rev-parse', 'three']);
  await vi.waitFor(() => expect(statusesOf(head).at(-1)).toBe('failure'), later);
});
