import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantedHost } from '../connectable.ts';
import type { HostRef } from '../host-facts.ts';
import { type SandboxGerrit, startSandboxGerrit } from './sandbox.fixture.ts';

let sandbox: SandboxGerrit;
let gerrit: GrantedHost;
const story = createRepository();
const ref: HostRef = { installationId: 'sandbox@host', owner: 'sandbox', name: 'widgets' };
const repository = 'sandbox/widgets';
// Branches are deleted when they are merged.
const tips: Record<string, string> = {};

beforeAll(async () => {
  await story.start();
  await story.commit('First', { 'a.txt': 'a\n' });
  for (const [branch, author] of [
    ['one', zoe],
    ['two', bob],
    ['three', zoe],
    ['four', zoe],
  ] as const) {
    story.git(['checkout', '--quiet', '-b', branch, 'main']);
    await story.commit(`Add ${branch}`, { [`${branch}.txt`]: '1\n' }, author);
  }
  story.git(['checkout', '--quiet', '--detach', 'main']);
  await story.commit('Add a side', { 'side.txt': '1\n' }, bob);
  const side = story.git(['rev-parse', 'HEAD']);
  story.git(['checkout', '--quiet', '-b', 'joined', 'main']);
  await story.commit('Add joined', { 'joined.txt': '1\n' }, bob);
  story.git(['merge', '--quiet', '--no-ff', '-m', 'Join the side', side]);
  story.git(['checkout', '--quiet', '--detach', 'main']);
  for (const name of ['one', 'two', 'three', 'four']) tips[name] = story.git(['rev-parse', name]);
  sandbox = await startSandboxGerrit([story.path]);
  gerrit = sandbox.open();
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const evidence = () => {
  if (!gerrit.evidence) throw new Error('There is no evidence');
  return gerrit.evidence;
};
const numberOf = (headRef: string): number =>
  sandbox.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;
const ago = (seconds: number): string => new Date(Math.floor(Date.now() / 1000 - seconds) * 1000).toISOString();

test('lists updates of a branch with their account and discarded commits, to owners of the project only', async () => {
  const before = story.git(['rev-parse', 'main']);
  const at = ago(5);
  await sandbox.control('push', { repository, by: 'ada', files: { 'b.txt': 'b\n' }, at });
  const direct = story.git(['rev-parse', 'main']);
  await sandbox.control('push', { repository, by: 'zoe-a', files: { 'b.txt': 'c\n' }, forced: true });
  const { items } = (await evidence().listPushes?.(ref, 'main', at)) ?? { items: [] };
  expect(items).toMatchObject([
    { before: direct, after: story.git(['rev-parse', 'main']), isForced: true, pusher: { login: 'zoe-a' } },
    { before, after: direct, at, isForced: false, activity: null, pusher: { login: 'ada' } },
  ]);
  await sandbox.control('gerrit/role', { owners: false });
  await expect(evidence().listPushes?.(ref, 'main', at)).rejects.toMatchObject({ status: 403 });
  await sandbox.control('gerrit/role', { owners: true });
});

test('finds the change of a cherry-picked commit and of a merge, and none of a direct push', async () => {
  const picked = numberOf('one');
  const { one: head = '' } = tips;
  await sandbox.control('review', { repository, number: picked, by: 'bob', at: ago(3) });
  await sandbox.control('check', { repository, sha: head, name: 'Verified', conclusion: 'success' });
  await sandbox.control('merge', { repository, number: picked, by: 'zoe-a', method: 'squash' });
  const result = story.git(['rev-parse', 'main']);
  expect(await evidence().pullsOf(ref, result)).toEqual([{ number: picked, baseRef: 'main' }]);
  const { pullRequest, reviews } = await gerrit.getPullRequest(ref, picked);
  expect(pullRequest).toMatchObject({ headSha: head, mergeSha: result, state: 'accepted' });
  expect(reviews).toMatchObject([{ state: 'approved', sha: head, user: { login: 'bob' } }]);
  expect(await evidence().checksOf(ref, head)).toMatchObject([{ name: 'Verified', conclusion: 'success', app: null }]);
  const merged = numberOf('two');
  await sandbox.control('merge', { repository, number: merged, by: 'zoe-a', method: 'merge' });
  for (const name of ['main', 'main^2'])
    expect(await evidence().pullsOf(ref, story.git(['rev-parse', name]))).toEqual([
      { number: merged, baseRef: 'main' },
    ]);
  await sandbox.control('push', { repository, by: 'ada', files: { 'late.txt': '1\n' } });
  expect(await evidence().pullsOf(ref, story.git(['rev-parse', 'main']))).toEqual([]);
});

test('names the account of an author who uploaded the change, and no other account', async () => {
  const { items } = await evidence().pullRequestCommits(ref, numberOf('three'));
  expect(items).toMatchObject([{ author: { email: zoe.email, login: 'zoe-a', hostId: expect.any(String) } }]);
  expect((await gerrit.listCommits(ref, 'main', null)).items[0]?.author.login).toBeNull();
});

test('lists the files of a merge commit under review that its first parent lacks', async () => {
  const { items } = await evidence().pullRequestFiles(ref, numberOf('joined'));
  expect(items).toEqual([{ path: 'side.txt', previousPath: null, status: 'added' }]);
});

test('does not find a change that a direct push closed', async () => {
  const number = numberOf('three');
  await sandbox.control('review', { repository, number, by: 'bob', at: ago(2) });
  await sandbox.control('merge', { repository, number, by: 'zoe-a', method: 'squash', isPushed: true });
  const result = story.git(['rev-parse', 'main']);
  expect(await evidence().pullsOf(ref, result)).toEqual([]);
  expect((await gerrit.getPullRequest(ref, number)).pullRequest).toMatchObject({
    state: 'closed',
    headSha: result,
    mergeSha: null,
    closedBy: { login: 'zoe-a' },
  });
});

test('does not decide how a commit came to the branch without the message of its change', async () => {
  await sandbox.control('merge', { repository, number: numberOf('four'), by: 'zoe-a', method: 'merge' });
  await sandbox.control('gerrit/messages', { kept: false });
  for (const name of [tips.four ?? '', story.git(['rev-parse', 'main'])])
    await expect(evidence().pullsOf(ref, name)).rejects.toMatchObject({ status: 404 });
  await sandbox.control('gerrit/messages', { kept: true });
});

test('compares commits from their merge base with hunks', async () => {
  const { one = '', two: head = '' } = tips;
  const { items, isWhole } = await evidence().differenceOf(ref, story.git(['rev-parse', 'main']), head);
  expect({ items, isWhole }).toEqual({ items: [], isWhole: true });
  const other = await evidence().differenceOf(ref, one, head);
  expect(other.items).toMatchObject([{ path: 'two.txt', status: 'added', patch: expect.stringContaining('+1') }]);
});

const access: PlantedAccess = {
  people: [{ login: ada.email.split('@')[0] ?? '', role: 'write', via: 'direct' }],
  teams: [{ slug: 'core', role: 'write', members: ['zoe-a'] }],
  keys: [],
  apps: [],
  owners: ['boss'],
};

test('reads the protection, groups with their members, and who pushes without review', async () => {
  await sandbox.control('access', { repository, ...access });
  const rules = { requiredReviews: 2, dismissesStale: true, allowsForcePush: false, allowsDeletion: false };
  await sandbox.control('protect', {
    repository,
    rules: { ...rules, includesAdmins: true, requiredChecks: ['Verified'], bypassTeams: ['core'] },
  });
  expect(await evidence().protectionOf(ref, 'main')).toMatchObject({
    requiredReviews: 2,
    dismissesStaleReviews: true,
    allowsForcePush: false,
    includesAdmins: false,
    requiredChecks: ['Verified'],
    unboundChecks: 1,
  });
  const { holders, parts } = (await evidence().accessOf?.(ref, 'main')) ?? { holders: [], parts: {} };
  const words = Object.fromEntries(
    holders.map(({ kind, name, permission, canBypass }) => [`${kind} ${name}`, `${permission} ${canBypass}`]),
  );
  expect(words).toMatchObject({
    'team core': 'write true',
    'team Administrators': 'admin false',
    'team Registered Users': 'triage false',
    'person ada': 'write false',
    'person zoe-a': 'write true',
    'person boss': 'admin false',
  });
  expect(parts).toMatchObject({ people: 'read', teams: 'read', keys: 'not_offered', bypass: 'read' });
  await sandbox.control('gerrit/role', { owners: false });
  expect(new Set(Object.values((await evidence().protectionOf(ref, 'main')) ?? {}))).toEqual(new Set([null]));
  expect((await evidence().accessOf?.(ref, 'main'))?.parts).toMatchObject({ people: 'forbidden', bypass: 'forbidden' });
  expect(await evidence().tagsAreProtected(ref)).toBeNull();
  await sandbox.control('gerrit/role', { owners: true });
});
