import { changeNotifications, countNotifications } from '@sightline/contract/delivery/notifications.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MailMessage } from '#providers/mail.ts';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { raiseNotifications } from './commands.ts';
import { inboxOf, makeDigestsDue, runJob } from './testing/scene.ts';

let server: TestServer;
let org: TestOrganization;
let reviewer: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  org = await server.make.organization();
  reviewer = await server.make.member(org.id, 'rol_reviewer');
});
afterAll(() => server.close());

const deliverAll = () => runJob(server, 'notifications.deliver', org.id);
async function mails(): Promise<MailMessage[]> {
  const sent: MailMessage[] = [];
  await makeDigestsDue(server, org.id);
  await runJob(server, 'notifications.send', org.id, async (message) => void sent.push(message));
  return sent;
}

test('combines ten thousand new findings into one notification and one email per person', async () => {
  const { send } = await createTestScanner(server, org);
  const results = Array.from({ length: 10_000 }, (_, number) =>
    createScanResult({ path: `src/${number}.ts`, severity: number % 10 === 0 ? 'critical' : 'high' }),
  );
  const { counts } = await send(results);
  expect(counts).toMatchObject({ new: 10_000 });
  await deliverAll();
  for (const who of [org.owner, reviewer]) {
    const { items, unread } = await inboxOf(server, org.id, who);
    expect(items).toMatchObject([
      {
        type: 'finding.new',
        count: 10_000,
        severity: 'critical',
        title: expect.stringMatching(/^10,000 new vulnerabilities in acme\//),
        body: '1000 critical, 9000 high · Found by CodeQL',
      },
    ]);
    expect(unread).toBe(1);
  }
  const sent = await mails();
  expect(sent.map(({ to }) => to).toSorted()).toEqual([org.owner.email, reviewer.email].toSorted());
  expect(sent[0]?.subject).toContain('10,000 new vulnerabilities in acme/');
  expect(await mails()).toEqual([]);
});

test('combines ten thousand consecutive notifications into one email with the worst and a count', {
  tags: ['full'],
}, async () => {
  const notifications = Array.from({ length: 10_000 }, (_, number) => ({
    type: 'finding.new' as const,
    repository: { id: repositoryId(number % 40), name: `acme/r${number % 40}` },
    tool: 'CodeQL',
    tally: [number % 40 === 7 ? 1 : 0, 1, 0, 0, 0] as const,
  }));
  await server.services.database.withOrg(org.id, (tx) =>
    raiseNotifications(server.services, tx, org.id, { actor: { integration: 'test' }, notifications }),
  );
  await deliverAll();
  const { items, unread } = await inboxOf(server, org.id, org.owner);
  expect([items.length, unread]).toEqual([40, 40]);
  expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(10_250);
  const sent = await mails();
  expect(sent).toHaveLength(2);
  expect(sent[0]?.subject).toBe(`40 notifications from ${org.name}`);
  expect(sent[0]?.text).toMatch(/most severe first:\n\n500 new vulnerabilities in acme\/r7\n250 critical, 250 high/);
  expect(sent[0]?.text).toContain('15 more are not listed here.');
});

const repositoryId = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

test('keeps the unread count correct under concurrent reads and new notifications', async () => {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  const raiseIn = (number: number) =>
    server.services.database.withOrg(org.id, (tx) =>
      raiseNotifications(server.services, tx, org.id, {
        actor: { integration: 'test' },
        notifications: [
          {
            type: 'finding.new',
            repository: { id: repositoryId(number), name: `acme/r${number}` },
            tool: 'CodeQL',
            tally: [0, 1, 0, 0, 0],
          },
        ],
      }),
    );
  for (const number of numbers.slice(0, 40)) await raiseIn(number);
  await deliverAll();
  const before = await inboxOf(server, org.id, org.owner);
  expect(before.unread).toBe(40);
  const ids = before.items.map(({ id }) => id);
  const call = server.as(org.owner, org.id);
  const change = (some: string[], status: 'read' | 'unread' | 'archived') =>
    call(changeNotifications, { body: { ids: some, status } });
  // Several tabs change the same notifications repeatedly, while new ones are delivered.
  const answers = await Promise.all([
    ...[0, 1, 2, 3].map((tab) => change(ids.slice(tab * 5, tab * 5 + 20), 'read')),
    change(ids.slice(0, 10), 'unread'),
    change(ids.slice(30), 'archived'),
    ...numbers.slice(40).map(raiseIn),
    deliverAll(),
    change(ids.slice(0, 10), 'read'),
    deliverAll(),
    call(countNotifications, {}),
  ]);
  await deliverAll();
  const last = await change(ids.slice(0, 30), 'read');
  expect(answers).toBeDefined();
  const after = await inboxOf(server, org.id, org.owner);
  const unread = after.items.filter(({ status }) => status === 'unread');
  expect([last.unread, after.unread, unread.length]).toEqual([20, 20, 20]);
  // Those of other members are unaffected.
  expect((await inboxOf(server, org.id, reviewer)).unread).toBe(60);
  expect(await call(changeNotifications, { body: { all: true, status: 'read' } })).toEqual({ updated: 20, unread: 0 });
});

test('adds to a notification while unread, and creates a new one after it was read', async () => {
  const { send } = await createTestScanner(server, org);
  await send([createScanResult()]);
  await deliverAll();
  await send([createScanResult(), createScanResult({ path: 'b.ts' })]);
  await deliverAll();
  const { items } = await inboxOf(server, org.id, reviewer);
  expect(items).toMatchObject([{ count: 2, body: '2 high · Found by CodeQL', status: 'unread' }]);
  await server.as(reviewer, org.id)(changeNotifications, { body: { all: true, status: 'read' } });
  await send([createScanResult(), createScanResult({ path: 'b.ts' }), createScanResult({ path: 'c.ts' })]);
  await deliverAll();
  expect((await inboxOf(server, org.id, reviewer)).items).toMatchObject([
    { count: 1, title: expect.stringMatching(/^A new vulnerability in/), status: 'unread' },
    { count: 2, status: 'read' },
  ]);
});
