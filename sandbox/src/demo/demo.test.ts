import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pushesOf } from '../git/planted.ts';
import { install } from '../github/installations.ts';
import { startTestSandbox } from '../testing/sandbox.ts';
import { createDemo, demoFoldersIn } from './demo.ts';
import { demoPeople } from './people.ts';

const ends: (() => Promise<unknown>)[] = [];
let one: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  // The sandbox reads the time when it is asked for the demo.
  vi.useFakeTimers({ now, toFake: ['Date'] });
  one = await startDemo();
  vi.useRealTimers();
}, 120_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const day = 86_400_000;
const now = Date.UTC(2026, 10, 28, 12);

const startEmpty = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'demo');
  const { sandbox } = await startTestSandbox([], { pollMs: 3_600_000, demoFolder: path });
  ends.push(sandbox.close);
  return { sandbox, path };
};

const control = async (url: string, method: string, path: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${url}/_sandbox/demo${path}`, { method });
  return { status: answer.status, text: await answer.text() };
};

const startDemo = async () => {
  const { sandbox, path } = await startEmpty();
  const { status, text } = await control(sandbox.url, 'POST', '');
  expect(status).toBe(200);
  const gits = sandbox.host.repositories.map(({ git }) => git);
  return { sandbox, path, gits, created: JSON.parse(text) };
};

test('creates the same two years of history of eight repositories for the same time', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  const { sandbox, path } = await startEmpty();
  const demos = await createDemo(sandbox.host, path, now + 60_000);
  const tips = (gits: typeof one.gits) => gits.map(({ refs }) => refs.get('refs/heads/main')).sort();
  expect(tips(demos.map(({ repository }) => repository.git))).toEqual(tips(one.gits));
  const pulls = one.gits.flatMap(({ pullRequests }) => pullRequests);
  const times = pulls.map(({ createdAt }) => createdAt);
  expect(pulls.length).toBeGreaterThanOrEqual(600);
  expect(Math.min(...times)).toBeGreaterThan(now - 732 * day);
  expect(Math.min(...times)).toBeLessThan(now - 700 * day);
  expect(Math.max(...pulls.map(({ updatedAt }) => updatedAt))).toBeLessThanOrEqual(now);
});

test('contains approvals, self-merges, force pushes, agents, and people who join and leave', async () => {
  const { gits } = one;
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
  for (const git of one.gits) {
    const pushes = pushesOf(git).filter(({ ref }) => ref === 'refs/heads/main');
    expect(pushes.slice(1).map(({ before }) => before)).toEqual(pushes.slice(0, -1).map(({ after }) => after));
    expect(pushes.at(-1)?.after).toBe(git.refs.get('refs/heads/main'));
  }
});

test('tells how to connect every service of the demo, and creates it once', async () => {
  const { sandbox, created } = one;
  const { status, text } = await control(sandbox.url, 'POST', '');
  expect(status).toBe(200);
  expect(JSON.parse(text).repositories).toEqual(created.repositories);
  expect(created.repositories.map(({ host }: { host: string }) => host).sort()).toEqual([
    ...['bitbucket', 'bitbucket', 'github', 'github', 'github', 'github', 'gitlab', 'gitlab'],
  ]);
  const { tokens, jira, scanners } = created;
  const found = await fetch(`${jira.url}/rest/api/3/project/search`, {
    headers: { authorization: `Basic ${Buffer.from(`${jira.email}:${jira.token}`).toString('base64')}` },
  });
  expect(found.status).toBe(200);
  const gitlab = await fetch(`${sandbox.url}/gitlab/api/v4/user`, {
    headers: { authorization: `Bearer ${tokens.gitlab}` },
  });
  expect(gitlab.status).toBe(200);
  expect(scanners.map(({ scanner }: { scanner: string }) => scanner).sort()).toEqual(['dependency-track', 'sonarqube']);
});

test('has tickets that were closed with their change, tickets that came later, and titles without one', () => {
  const tickets = one.sandbox.trackers.get('jira-cloud')?.state.tickets.filter(({ project }) => project === 'HL') ?? [];
  const keys = new Set(tickets.map(({ key }) => key));
  const pulls = one.gits.flatMap(({ pullRequests }) => pullRequests);
  const named = pulls.filter(({ title }) => /^HL-\d+: /.test(title));
  expect(named.filter(({ title }) => keys.has(title.split(':')[0] ?? '')).length).toBeGreaterThan(named.length / 2);
  expect(named.some(({ title }) => !keys.has(title.split(':')[0] ?? ''))).toBe(true);
  expect(tickets.filter(({ status }) => status === 'Done').length).toBeGreaterThan(tickets.length / 2);
});

test('adds changes and scans of today', { timeout: 60_000 }, async () => {
  const { sandbox, gits, created } = one;
  const { host } = sandbox;
  const owner = host.repositories.find(({ owner: { id } }) => id === created.githubAccount)?.owner;
  const user = host.users.byLogin.get(created.login);
  if (owner === undefined || user === undefined) throw new Error('The demo has no account.');
  install(host, owner, 'all', user);
  const merged = () => gits.flatMap(({ pullRequests }) => pullRequests.filter(({ mergedAt }) => mergedAt !== null));
  const before = merged().length;
  expect(await control(sandbox.url, 'POST', '/changes')).toEqual({ status: 204, text: '' });
  const recent = merged().filter(({ mergedAt }) => (mergedAt ?? 0) > now + day / 2);
  expect(merged().length).toBeGreaterThan(before);
  expect(recent.length).toBe(merged().length - before);
  const scans = sandbox.tenant.kept.scans.length;
  expect((await control(sandbox.url, 'POST', '/scans')).status).toBe(204);
  expect(sandbox.tenant.kept.scans).toHaveLength(scans * 2);
  const [repository] = created.repositories;
  const sarif = await control(sandbox.url, 'GET', `/sarif?repository=${repository.fullName}&run=1`);
  expect(JSON.parse(sarif.text)).toMatchObject({ version: '2.1.0' });
  expect((await control(sandbox.url, 'GET', '/sarif?repository=unknown&run=1')).status).toBe(404);
});

test('removes its accounts, folders, tickets and scans', async () => {
  const { sandbox, path } = one;
  expect(demoFoldersIn(path)).toHaveLength(8);
  expect((await control(sandbox.url, 'DELETE', '')).status).toBe(204);
  expect([sandbox.host.repositories, demoFoldersIn(path), sandbox.tenant.kept.scans]).toEqual([[], [], []]);
  expect(sandbox.trackers.get('jira-cloud')?.state.projects.map(({ key }) => key)).toEqual(['PAY', 'OPS', 'SEC']);
  expect((await control(sandbox.url, 'POST', '/changes')).status).toBe(409);
});
