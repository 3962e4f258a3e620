import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiCall, createClient, urlOf } from '@sightline/contract/core/client.ts';
import { getPicture } from '@sightline/contract/identity/pictures.ts';
import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import { updateOrganization } from '@sightline/contract/organization/organizations.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { compareStoredEvents } from '../crash/testing/evidence.ts';
import { newEventItem } from '../crash/testing/writers.ts';
import { authorize, openBrowser, redeem } from '../domains/identity/authentication/testing/browser.ts';
import { type Cluster, PICTURE_LIMIT_PER_MINUTE, startCluster } from './testing/cluster.ts';
import { openSocketCrowd, type SocketCrowd } from './testing/crowd.ts';

const sockets = 500;
/**
 * Milliseconds until all clients have reconnected after a process died. On a machine that needs longer to open the
 * sockets, the limit is that duration.
 */
let reconnectLimit = 15_000;
const email = 'owner@example.org';
const password = 'correct horse battery';

let starting: Promise<Cluster> | undefined;
let cluster: Cluster;
let orgId: string;
let token: string;
let crowd: SocketCrowd | undefined;

beforeAll(async () => {
  starting = startCluster();
  cluster = await starting;
  await cluster.ask('user', 'create', ...['--email', email, '--name', 'Olga', '--verified', '--password', password]);
  const made = await cluster.ask<{ organization: { id: string } }>('org', 'create', '--name', 'Acme', '--owner', email);
  orgId = made.organization.id;
});
afterAll(async () => {
  crowd?.close();
  // Also if the start timed out.
  await (await starting)?.close();
});

const at = (url: string): ApiCall => createClient({ baseUrl: `${url}/api`, token: () => token });
const rename = (url: string, displayName: string) =>
  at(url)(updateOrganization, { body: { displayName, description: '' } });
const allReceive = (open: SocketCrowd) =>
  vi.waitFor(() => expect(open.notified()).toBe(sockets), { timeout: 60_000, interval: 50 });

test('signs in through either server, and each server accepts the token', async () => {
  const site = { url: cluster.url, config: { PUBLIC_URL: cluster.url } };
  for (let time = 0; time < 4; time += 1) {
    const browser = openBrowser(site);
    const request = authorize(site, { organization: orgId });
    const back = await browser.submit(await browser.get(request.url), { email, password });
    const tokens = await redeem(site, request, back);
    expect(tokens.status).toBe(200);
    token = tokens.access_token ?? '';
  }
  for (const { url } of cluster.nodes) expect(await rename(url, 'Acme Corp')).toMatchObject({ id: orgId });
});

test('runs a job queued by either server once, on the worker', async () => {
  const emails = Array.from({ length: 60 }, (_, index) => `person-${index}@example.org`);
  const groups = Array.from({ length: 12 }, (_, index) => emails.slice(index * 5, index * 5 + 5));
  await Promise.all(
    groups.map((some, index) =>
      at(cluster.nodes[index % 2]?.url ?? '')(inviteMembers, {
        body: { invite: { emails: some, roleID: 'rol_reviewer' } },
      }),
    ),
  );
  const mails = () =>
    rows<{ to: string }>("select recipient as to from mail where recipient like 'person-%' order by id");
  await vi.waitFor(async () => expect((await mails()).length).toBeGreaterThanOrEqual(emails.length), {
    timeout: 60_000,
  });
  // A job completes a moment after its mail. A job that ran twice never has this state.
  const unfinished = () =>
    rows("select from pgboss.job where name = 'invitation.mail' and (state <> 'completed' or retry_count > 0)");
  await vi.waitFor(async () => expect(await unfinished()).toEqual([]), { timeout: 30_000 });
  expect((await mails()).map(({ to }) => to).sort()).toEqual(emails.sort());
});

test('delivers a change notice from either server to every socket on any server', async () => {
  const began = performance.now();
  crowd = await openSocketCrowd(cluster.url, () => token, sockets, 'orgSettings');
  reconnectLimit = Math.max(reconnectLimit, performance.now() - began);
  for (const { url } of cluster.nodes) {
    crowd.resetCounts();
    await rename(url, `Acme at ${new URL(url).port}`);
    await allReceive(crowd);
  }
});

test('reconnects all clients within 15 seconds of a server crash and loses nothing acknowledged', async () => {
  if (!crowd) throw new Error('nobody is connected');
  const [stays, dies] = cluster.nodes;
  const writers = write(2);
  await vi.waitFor(() => expect(writers.acknowledged.size).toBeGreaterThan(200), { timeout: 30_000 });
  crowd.resetCounts();
  const died = performance.now();
  await dies.kill();
  const { disconnected: broken } = crowd;
  await vi.waitFor(() => expect(broken()).toBeGreaterThan(sockets / 4), { timeout: 30_000, interval: 20 });
  await vi.waitFor(() => expect(crowd?.connected()).toBe(sockets), { timeout: reconnectLimit, interval: 20 });
  const took = performance.now() - died;
  console.log(`  ${broken()} of ${sockets} sockets broke and were back after ${Math.round(took)} ms`);
  expect(took).toBeLessThan(reconnectLimit);
  expect(broken()).toBeLessThan(sockets);

  crowd.resetCounts();
  await rename(stays.url, 'Acme goes on');
  await allReceive(crowd);
  const before = writers.acknowledged.size;
  await vi.waitFor(() => expect(writers.acknowledged.size).toBeGreaterThan(before + 200), { timeout: 30_000 });
  await writers.stop();
  expect(await compareStoredEvents(cluster.databaseUrl, orgId, writers.acknowledged)).toMatchObject({
    missing: [],
    unproven: [],
    broken: [],
    events: writers.acknowledged.size,
  });
});

test('delivers change notices again after the server and Redis restart', async () => {
  if (!crowd) throw new Error('nobody is connected');
  const [stays, died] = cluster.nodes;
  await died.start();
  crowd.resetCounts();
  await rename(died.url, 'Acme is whole');
  await allReceive(crowd);

  await cluster.redis.stop();
  expect(await rename(stays.url, 'Acme without Redis')).toMatchObject({ id: orgId });
  await cluster.redis.start();
  // Clients that may have missed messages reconnect.
  await vi.waitFor(() => expect(crowd?.disconnected()).toBe(sockets), { timeout: 60_000, interval: 50 });
  await vi.waitFor(() => expect(crowd?.connected()).toBe(sockets), { timeout: reconnectLimit, interval: 50 });
  for (const { url } of cluster.nodes) {
    crowd.resetCounts();
    await rename(url, `Acme with Redis at ${new URL(url).port}`);
    await allReceive(crowd);
  }
});

test('counts a limit per server while Redis is down, and across all servers afterwards', async () => {
  const [one, other] = cluster.nodes;
  /** A request that is refused with 400, and counts for the limit. */
  const ask = async ({ url }: { url: string }) => {
    const path = urlOf(`${url}/api`, getPicture, { query: { url: 'https://127.0.0.1:1/' } });
    const { status, headers } = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
    return { status, left: Number(/"pictures";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]) };
  };
  await cluster.redis.stop();
  try {
    for (const left of [PICTURE_LIMIT_PER_MINUTE - 1, PICTURE_LIMIT_PER_MINUTE - 2]) {
      expect(await ask(one)).toEqual({ status: 400, left });
      expect(await ask(other)).toEqual({ status: 400, left });
    }
  } finally {
    await cluster.redis.start();
  }
  await vi.waitFor(async () => expect((await ask(one)).left).toBe((await ask(other)).left + 1), {
    timeout: 30_000,
    interval: 100,
  });
  for (let answer = await ask(one); answer.status !== 429; ) answer = await ask(one);
  expect((await ask(other)).status).toBe(429);
});

test('fires the alerts for operators on real failures, and resolves them', async () => {
  const { groups } = await ofPrometheus<{ groups: { rules: { name: string; query: string; health: string }[] }[] }>(
    'rules',
  );
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThanOrEqual(20);
  const dashboard = JSON.parse(
    readFileSync(new URL('../../../deploy/grafana/sightline.json', import.meta.url), 'utf8'),
  ) as { panels: { title: string; targets?: { expr: string }[] }[] };
  const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ name: title, query: expr })),
  );
  const folder = await mkdtemp(join(tmpdir(), 'sightline-cluster-backup-'));
  await cluster.ask('backup', join(folder, 'first'));
  await rm(folder, { recursive: true });
  for (const { query } of panels) await ofPrometheus(`query?${new URLSearchParams({ query })}`);
  // A rule on a metric that no process provides would never fire, and its panel would stay empty.
  await vi.waitFor(
    async () => {
      const known = Object.keys(await ofPrometheus<Record<string, unknown>>('metadata'));
      for (const { name, query } of [...rules, ...panels])
        for (const [metric] of query.matchAll(/\b(?:sightline|nodejs|process)_\w+/g))
          expect([name, known]).toEqual([name, expect.arrayContaining([metric.replace(/_(count|bucket)$/, '')])]);
    },
    { timeout: 30_000, interval: 500 },
  );
  await resolves('SightlineDown', 'SightlineJobsOverdue', 'SightlineLedgerHalted', 'SightlineWebhooksBehind');
  expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);

  await cluster.worker.kill();
  await fires('SightlineDown');
  await at(cluster.url)(inviteMembers, { body: { invite: { emails: ['late@example.org'], roleID: 'rol_reviewer' } } });
  await rows(
    "update pgboss.job set start_after = now() - interval '11 minutes' where name = 'invitation.mail' and state = 'created'",
  );
  await fires('SightlineJobsOverdue');
  await cluster.worker.start();
  await resolves('SightlineDown', 'SightlineJobsOverdue');

  await rows("update ledger_log set halt_reason = 'test', halted_at = now() where closed_at is null");
  await fires('SightlineLedgerHalted');
  await rows('update ledger_log set halt_reason = null, halted_at = null');
  await resolves('SightlineLedgerHalted');

  await rows(`insert into webhook_delivery (org_id, provider, delivery_id, event, body, received_at)
    values ('${orgId}', 'github', 'old', 'push', '{}', now() - interval '11 minutes')`);
  await fires('SightlineWebhooksBehind');
  await rows("delete from webhook_delivery where delivery_id = 'old'");
  await resolves('SightlineWebhooksBehind');

  await rows(
    `update operator_entry set data = jsonb_set(data, '{at}', '"2026-01-01T00:00:00Z"') where action = 'backup.created'`,
  );
  await fires('SightlineBackupOld');
});

async function ofPrometheus<Data>(what: string): Promise<Data> {
  const answer = await fetch(`${cluster.prometheus.url}/api/v1/${what}`);
  const { status, data, error } = (await answer.json()) as { status: string; data: Data; error?: string };
  expect([status, error], what).toEqual(['success', undefined]);
  return data;
}

const firing = async (): Promise<string[]> => {
  const { alerts } = await ofPrometheus<{ alerts: { labels: { alertname: string }; state: string }[] }>('alerts');
  return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
};
const withinAMinute = { timeout: 60_000, interval: 250 };
const fires = (name: string) => vi.waitFor(async () => expect(await firing()).toContain(name), withinAMinute);
const resolves = (...names: string[]) =>
  vi.waitFor(async () => expect((await firing()).filter((name) => names.includes(name))).toEqual([]), withinAMinute);

/** Sends events like the extensions: a batch without acknowledgment is sent again with the same IDs. */
function write(count: number): { acknowledged: Set<string>; stop: () => Promise<void> } {
  const acknowledged = new Set<string>();
  let stopping = false;
  const call = at(cluster.url);
  const one = async (writer: number) => {
    for (let turn = 0; !stopping; turn += 1) {
      const body = Array.from({ length: 1 + (turn % 7) }, (_, index) => newEventItem(`${writer} ${turn} ${index}`));
      while (!(await call(recordEvents, { body }).then(Boolean, () => false))) if (stopping) return;
      for (const { message_id } of body) acknowledged.add(message_id);
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, writer) => one(writer)));
  return {
    acknowledged,
    stop: async () => {
      stopping = true;
      await done;
    },
  };
}

async function rows<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}
