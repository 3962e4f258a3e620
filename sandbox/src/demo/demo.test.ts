import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushesOf } from '../git/planted.ts';
import { startTestSandbox } from '../testing/sandbox.ts';
import { createDemo, demoFoldersIn, removeDemo } from './demo.ts';
import { demoPeople } from './people.ts';

const ends: (() => Promise<unknown>)[] = [];
let one: Awaited<ReturnType<typeof createAt>>;
beforeAll(async () => {
  one = await createAt(now);
}, 120_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const day = 86_400_000;
const now = Date.UTC(2026, 10, 28, 12);

const createAt = async (time: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const { sandbox } = await startTestSandbox([], { pollMs: 3_600_000 });
  ends.push(sandbox.close);
  const path = join(folder, 'demo');
  return { host: sandbox.host, path, demos: await createDemo(sandbox.host, path, time) };
};

test('creates the same two years of history of eight repositories for the same time', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  const other = await createAt(now + 60_000);
  const tips = ({ demos }: typeof one) => demos.map(({ repository: { git } }) => git.refs.get('refs/heads/main'));
  expect(tips(other)).toEqual(tips(one));
  expect(one.demos.map(({ history }) => history.repository.host).sort()).toEqual([
    ...['bitbucket', 'bitbucket', 'github', 'github', 'github', 'github', 'gitlab', 'gitlab'],
  ]);
  const pulls = one.demos.flatMap(({ repository }) => repository.git.pullRequests);
  const times = pulls.map(({ createdAt }) => createdAt);
  expect(pulls.length).toBeGreaterThanOrEqual(600);
  expect(Math.min(...times)).toBeGreaterThan(now - 732 * day);
  expect(Math.min(...times)).toBeLessThan(now - 700 * day);
  expect(Math.max(...pulls.map(({ updatedAt }) => updatedAt))).toBeLessThanOrEqual(now);
});

test('contains approvals, self-merges, force pushes, agents, and people who join and leave', async () => {
  const { demos } = one;
  const gits = demos.map(({ repository }) => repository.git);
  const pulls = gits.flatMap(({ pullRequests }) => pullRequests);
  const merged = pulls.filter(({ mergedAt }) => mergedAt !== null);
  const isOwn = ({ author, mergedBy, reviews }: (typeof pulls)[number]) =>
    author.email === mergedBy?.email && reviews.length === 0;
  expect(merged.filter(({ reviews }) => reviews.some(({ verdict }) => verdict === 'approved')).length).toBeGreaterThan(
    merged.length / 2,
  );
  expect(merged.filter(isOwn).length).toBeGreaterThan(5);
  expect(new Set(pulls.map(({ state, mergedAt }) => (mergedAt === null ? state : 'merged')))).toEqual(
    new Set(['merged', 'open', 'closed']),
  );
  const kinds = gits.flatMap((git) => pushesOf(git)).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['force_push', 'push', 'pr_merge']));
  const commits = gits.flatMap((git) => [...git.commits.values()]);
  expect(
    commits.filter(({ message }) => /^Co-authored-by: (Claude|Copilot|Cursor)/m.test(message)).length,
  ).toBeGreaterThan(50);
  const lastOf = (email: string) =>
    Math.max(...commits.filter(({ author }) => author.email === email).map(({ author }) => author.at));
  const left = demoPeople.filter(({ until }) => until < 1);
  expect(left).toHaveLength(2);
  for (const { email } of left) expect(lastOf(email)).toBeLessThan(now - 100 * day);
});

test('chains the pushes of every default branch without a gap', async () => {
  const { demos } = one;
  for (const { repository } of demos) {
    const pushes = pushesOf(repository.git).filter(({ ref }) => ref === 'refs/heads/main');
    expect(pushes.slice(1).map(({ before }) => before)).toEqual(pushes.slice(0, -1).map(({ after }) => after));
    expect(pushes.at(-1)?.after).toBe(repository.git.refs.get('refs/heads/main'));
  }
});

test('removes its accounts and folders', async () => {
  const { host, path } = one;
  expect(demoFoldersIn(path)).toHaveLength(8);
  await removeDemo(host, path);
  expect([host.repositories, demoFoldersIn(path)]).toEqual([[], []]);
});
