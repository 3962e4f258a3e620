import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { exportAudit, listAudit } from '@sightline/contract/organization/audit.ts';
import {
  type AuditStream,
  createAuditStream,
  deleteAuditStream,
  getAuditStream,
  listAuditStreams,
  rotateAuditStreamSecret,
  testAuditStream,
  updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import { archiveOrganization } from '@sightline/contract/organization/organizations.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAuditEntry } from '#core/audit.ts';
import { type Certificate, createCertificate } from '#testing/certificate.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sampleUnlessFull } from '../../../../../scripts/full-suite.ts';
import { sequenceEntries } from '../../ledger/ledger/sequence.ts';
import { deliverStream } from './delivery.ts';
import { region, type S3Receiver, startS3Receiver } from './testing/s3-receiver.ts';
import { type SyslogReceiver, startSyslogReceiver } from './testing/syslog-receiver.ts';

const metricsToken = 'metrics-of-this-test';
const keys = { id: 'AKIDEXAMPLE', secret: 'a secret access key' };

let certificate: Certificate;
let syslog: SyslogReceiver;
let storage: S3Receiver;
let https: HttpsReceiver;
let server: TestServer;
const trusted = getCACertificates('default');
beforeAll(async () => {
  certificate = createCertificate();
  setDefaultCACertificates([...trusted, certificate.cert]);
  syslog = await startSyslogReceiver(certificate);
  storage = await startS3Receiver(keys.id, keys.secret);
  https = await startHttpsReceiver(certificate);
  server = await startTestServer({ destinations: ['127.0.0.1'], environment: { METRICS_TOKEN: metricsToken } });
});
afterAll(async () => {
  await server?.close();
  await Promise.all([syslog?.close(), storage?.close(), https?.close()]);
  setDefaultCACertificates(trusted);
});

interface Received {
  headers: Record<string, string>;
  body: string;
}

interface HttpsReceiver {
  url: string;
  received: Received[];
  answer: (status: number, headers?: Record<string, string>) => void;
  /** Answers the next request only once the returned function is called. */
  holdNext: () => () => void;
  close: () => Promise<void>;
}

async function startHttpsReceiver({ cert, key }: Certificate): Promise<HttpsReceiver> {
  const received: Received[] = [];
  let how: [number, Record<string, string>] = [204, {}];
  let held: Promise<void> | undefined;
  const listening: Server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
    const released = held;
    held = undefined;
    await released;
    response.writeHead(...how).end('<h1>a response that is never shown</h1>');
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(listening.address() as AddressInfo).port}/audit`,
    received,
    answer: (status, headers = {}) => {
      how = [status, headers];
    },
    holdNext: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    close: () =>
      new Promise((resolve) => {
        listening.close(() => resolve());
        listening.closeAllConnections();
      }),
  };
}

type StreamSettings = Parameters<typeof settingsOf>[0];
const settingsOf = (kind: 'syslog' | 's3' | 'https') => {
  if (kind === 'syslog') {
    return { kind, settings: { host: '127.0.0.1', port: syslog.port, certificates: certificate.cert } };
  }
  if (kind === 'https') return { kind, settings: { url: https.url } };
  const settings = { url: storage.url, region, bucket: 'audit', prefix: 'acme/', accessKeyId: keys.id };
  return { kind, settings, secret: keys.secret };
};

let counter = 0;
async function scene(kind: StreamSettings = 'https', startFrom: 'now' | 'beginning' = 'now') {
  const org = await server.make.organization();
  const ask = server.as(org.owner, org.id);
  const body = { ...settingsOf(kind), name: `Archive ${++counter}`, startFrom } as never;
  const { secret, stream } = await ask(createAuditStream, { body });
  const params = { streamId: stream.id };
  return {
    org,
    ask,
    params,
    secret,
    state: (): Promise<AuditStream> => ask(getAuditStream, { params }),
    deliver: async () => {
      await sequenceEntries(server.services.ledger, org.id);
      await deliverStream(server.services, { orgId: org.id, streamId: stream.id });
    },
    /** The ids of all entries, the oldest first. */
    recorded: async () => (await ask(listAudit, { query: { perPage: 100 } })).entries.map(({ id }) => id).toReversed(),
  };
}

/** Changes as the clock makes them; `length` makes each one that long. */
const write = (org: TestOrganization, count: number, length = 0) =>
  server.services.database.withOrg(org.id, async (tx) => {
    for (let number = 0; number < count; number += 1) {
      // Entries of one millisecond have no order in the audit log.
      for (const last = Date.now(); Date.now() === last; ) await nextTurn();
      await recordAuditEntry(tx, {
        people: server.services.people,
        orgId: org.id,
        actor: { clock: true },
        entry: {
          action: 'view.updated',
          subject: { kind: 'view', id: String(number) },
          data: { name: `Ansicht „${number}“ 🎉`.padEnd(length, '.') },
        },
      });
    }
  });

/** The ids of all entries in the order of the ledger. */
const placed = ({ id }: TestOrganization): Promise<string[]> =>
  server.services.database.withOrg(id, async ({ db }) =>
    (
      await db
        .selectFrom('ledger_entry')
        .select('entry_id')
        .where('kind', 'like', 'audit.%')
        .orderBy('leaf_index')
        .execute()
    ).map(({ entry_id }) => entry_id),
  );

const makeDue = ({ id }: TestOrganization) =>
  server.services.database.withOrg(id, ({ db }) =>
    db
      .updateTable('audit_stream')
      .set({ next_at: new Date(0) })
      .execute(),
  );

interface Event {
  metadata: { uid: string; sequence: number; tenant_uid: string; labels?: string[]; event_code: string };
  unmapped: { ledger_epoch: number };
}
const eventsOf = ({ body }: Received): Event[] => JSON.parse(body).data.events;
const uidsOf = (events: readonly Event[]): string[] => events.map(({ metadata }) => metadata.uid);
const ofOrg = (messages: readonly string[], { id }: TestOrganization): string[] =>
  messages.filter((message) => message.includes(id));
const objectsOf = (org: TestOrganization): [string, Event[]][] =>
  [...storage.objects]
    .filter(([key]) => key.includes(org.id))
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([key, text]) => [
      key,
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]);
const jsonOf = (message: string): Event => JSON.parse(message.slice(message.indexOf('{')));

test('delivers batches by HTTPS, signed according to Standard Webhooks, and moves the cursor', async () => {
  const { org, secret, deliver, recorded, state } = await scene();
  await write(org, 3);
  expect((await state()).behind).toBe(4);
  https.received.length = 0;
  await deliver();
  expect(https.received).toHaveLength(1);
  const [got] = https.received;
  if (!got) throw new Error('nothing was received');
  expect(new Webhook(secret ?? '').verify(got.body, got.headers)).toMatchObject({
    type: 'audit_log.events',
    organization: org.id,
  });
  expect(uidsOf(eventsOf(got))).toEqual(await recorded());
  expect(await state()).toMatchObject({
    behind: 0,
    state: 'active',
    lastDeliveredAt: expect.any(String),
    failure: null,
  });
  await deliver();
  expect(https.received).toHaveLength(1);
});

test('writes syslog messages of RFC 5424 in frames by octets, in ASCII', async () => {
  const { org, deliver, recorded } = await scene('syslog');
  await write(org, 3);
  await deliver();
  const messages = ofOrg(syslog.messages, org);
  expect(messages).toHaveLength(4);
  for (const message of messages) {
    expect(message).toMatch(
      /^<1(09|10)>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z localhost:1 sightline - audit - \{[\x20-\x7e]*\}$/,
    );
  }
  expect(uidsOf(messages.map(jsonOf))).toEqual(await recorded());
  expect(jsonOf(messages[1] ?? '')).toMatchObject({ unmapped: { details: { name: 'Ansicht „0“ 🎉' } } });
});

test('repeats a batch that the syslog receiver did not read to its end, in order and without a gap', async () => {
  const { org, deliver, state } = await scene('syslog');
  // More than sockets hold, so that some of it is never read.
  await write(org, 60, 20_000);
  syslog.breakAfter(7);
  await deliver();
  expect(await state()).toMatchObject({ state: 'failing', behind: 61, failure: { reason: 'connection_closed' } });
  await makeDue(org);
  await deliver();
  const ids = uidsOf(ofOrg(syslog.messages, org).map(jsonOf));
  const all = await placed(org);
  expect(ids).toEqual([...all.slice(0, 7), ...all]);
  expect(await state()).toMatchObject({ state: 'active', behind: 0, failure: null, nextAttemptAt: null });
});

test('puts objects by date and ledger position, signed with Signature Version 4; a retry overwrites the object', async () => {
  const { org, deliver, recorded, state } = await scene('s3');
  await write(org, 2);
  storage.hangUpOnce();
  await deliver();
  expect(await state()).toMatchObject({ state: 'failing', failure: { reason: 'unreachable' }, behind: 3 });
  await write(org, 2);
  await makeDue(org);
  await deliver();
  await write(org, 1);
  await deliver();
  const objects = objectsOf(org);
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  expect(objects.map(([key]) => key)).toEqual([
    expect.stringMatching(new RegExp(`^audit/acme/${org.id}/${day}/0001-\\d{12}\\.ndjson$`)),
    expect.stringMatching(new RegExp(`^audit/acme/${org.id}/${day}/0001-\\d{12}\\.ndjson$`)),
  ]);
  expect(storage.puts.filter((key) => key === objects[0]?.[0])).toHaveLength(2);
  expect(uidsOf(objects.flatMap(([, events]) => events))).toEqual(await recorded());
});

test('starts with the first entry ever recorded where that is wanted', async () => {
  const org = await server.make.organization();
  const ask = server.as(org.owner, org.id);
  await write(org, 2);
  await sequenceEntries(server.services.ledger, org.id);
  const made = (name: string, startFrom: 'now' | 'beginning') =>
    ask(createAuditStream, { body: { ...settingsOf('https'), name, startFrom } as never });
  const [all, rest] = [await made('All', 'beginning'), await made('New', 'now')];
  expect([all.stream.behind, rest.stream.behind]).toEqual([3, 2]);
});

test('delivers an entry that commits after later ones were delivered', async () => {
  const { org, deliver, recorded } = await scene();
  const { database, people } = server.services;
  https.received.length = 0;
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let begun = () => {};
  const written = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const late = database.withOrg(org.id, async (tx) => {
    const entry = { action: 'view.deleted', subject: { kind: 'view', id: 'late' } } as const;
    await recordAuditEntry(tx, { people, orgId: org.id, actor: { clock: true }, entry });
    begun();
    await held;
  });
  await written;
  await write(org, 2);
  await deliver();
  expect(https.received.flatMap(eventsOf)).toHaveLength(3);
  commit();
  await late;
  await deliver();
  const uids = uidsOf(https.received.flatMap(eventsOf));
  expect(uids.toSorted()).toEqual((await recorded()).toSorted());
  expect(https.received.flatMap(eventsOf).at(-1)?.metadata.event_code).toBe('view.deleted');
});

test('a worker delivers nothing that another one is delivering', async () => {
  const { org, deliver, recorded } = await scene();
  await write(org, 5);
  https.received.length = 0;
  const release = https.holdNext();
  const first = deliver();
  await expect.poll(() => https.received.length).toBe(1);
  await deliver();
  release();
  await first;
  expect(uidsOf(https.received.flatMap(eventsOf))).toEqual(await recorded());
});

const answers: [number, Record<string, string>, string][] = [
  [302, { location: 'https://127.0.0.1:1/elsewhere' }, 'redirected'],
  [429, { 'retry-after': '1000' }, 'rate_limited'],
  [401, {}, 'unauthorized'],
  [404, {}, 'not_found'],
  [422, {}, 'rejected'],
  [503, {}, 'server_error'],
];

test.each(sampleUnlessFull(answers, 3, 0))(
  'reports an answer of %i by a reason of a closed list and backs off',
  async (status, headers, reason) => {
    const { org, deliver, state } = await scene();
    https.received.length = 0;
    https.answer(status, headers);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await makeDue(org);
      await deliver();
      await deliver(); // Not due: nothing happens.
      const { failure, nextAttemptAt, ...rest } = await state();
      expect([rest.state, failure?.reason]).toEqual(['failing', reason]);
      waits.push((Date.parse(nextAttemptAt ?? '') - Date.parse(failure?.at ?? '')) / 1000);
    }
    https.answer(204);
    expect(https.received).toHaveLength(3);
    const least = status === 429 ? [1000, 1000, 1000] : [5, 30, 120];
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThan((least[index] ?? 0) * 0.9);
      expect(wait).toBeLessThan((least[index] ?? 0) * 1.3);
    });
  },
);

test('refuses a certificate that is not trusted, and one for another name', async () => {
  const other = await startSyslogReceiver(createCertificate('DNS:elsewhere.example'));
  const { org, ask, params, deliver, state } = await scene('syslog');
  const settings = (port: number, certificates: string) =>
    ask(updateAuditStream, { params, body: { settings: { host: '127.0.0.1', port, certificates } } });
  await settings(other.port, '');
  await deliver();
  expect((await state()).failure?.reason).toBe('certificate_invalid');
  await settings(syslog.port, createCertificate().cert);
  await deliver();
  expect((await state()).failure?.reason).toBe('certificate_invalid');
  expect(ofOrg(other.messages, org)).toEqual([]);
  expect(ofOrg(syslog.messages, org)).toEqual([]);
  await other.close();
});

test('connects to no address that has become private', async () => {
  const { org, deliver, state } = await scene('syslog');
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .updateTable('audit_stream')
      .set({ settings: JSON.stringify({ host: '10.0.0.8', port: 6514 }) })
      .execute(),
  );
  await deliver();
  expect((await state()).failure?.reason).toBe('address_refused');
});

test('one failing destination delays no other', { tags: ['full'] }, async () => {
  const [failing, healthy] = [await scene('s3'), await scene()];
  storage.hangUpOnce();
  https.received.length = 0;
  for (const each of [failing, healthy]) await each.deliver();
  expect((await failing.state()).state).toBe('failing');
  expect(uidsOf(https.received.flatMap(eventsOf))).toEqual(await healthy.recorded());
});

test('holds entries back while paused or archived, and delivers them afterwards', async () => {
  const { ask, params, deliver, recorded, state } = await scene();
  https.received.length = 0;
  await ask(updateAuditStream, { params, body: { enabled: false } });
  await deliver();
  expect(https.received).toEqual([]);
  expect(await state()).toMatchObject({ state: 'paused', behind: 2 });
  await ask(updateAuditStream, { params, body: { enabled: true } });
  await deliver();
  expect(uidsOf(https.received.flatMap(eventsOf))).toEqual(await recorded());
  await ask(archiveOrganization, {});
  https.received.length = 0;
  await deliver();
  expect(https.received).toEqual([]);
});

test('signs with both secrets for a day after rotation', async () => {
  const { ask, params, secret, deliver } = await scene();
  const rotated = await ask(rotateAuditStreamSecret, { params });
  expect((Date.parse(rotated.stream.previousSecretUntil ?? '') - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  https.received.length = 0;
  await deliver();
  const [got] = https.received;
  if (!got) throw new Error('nothing was received');
  for (const one of [secret ?? '', rotated.secret]) expect(new Webhook(one).verify(got.body, got.headers)).toBeTruthy();
});

test('sends the entry of a test at once, labeled, and moves no cursor', async () => {
  for (const kind of ['syslog', 's3', 'https'] as const) {
    const { org, ask, params, state } = await scene(kind);
    https.received.length = 0;
    expect(await ask(testAuditStream, { params })).toEqual({ failure: null });
    const sent =
      kind === 'syslog'
        ? ofOrg(syslog.messages, org).map(jsonOf)
        : kind === 's3'
          ? objectsOf(org).flatMap(([, events]) => events)
          : https.received.flatMap(eventsOf);
    expect(sent.map(({ metadata }) => [metadata.event_code, metadata.labels])).toEqual([
      ['audit_stream.tested', ['test']],
    ]);
    expect((await state()).behind).toBe(2);
  }
  const { ask, params } = await scene();
  https.answer(500);
  expect(await ask(testAuditStream, { params })).toEqual({ failure: 'server_error' });
  https.answer(204);
});

test('keeps a deleted destination deleted, and never lists secrets', async () => {
  const { ask, params, deliver } = await scene('s3');
  const { rows } = await ask(listAuditStreams, {});
  expect(JSON.stringify(rows)).not.toContain(keys.secret);
  await ask(deleteAuditStream, { params });
  await deliver();
  expect((await ask(listAuditStreams, {})).rows).toEqual([]);
  const { entries } = await ask(listAudit, {});
  expect(entries.map(({ action }) => action)).toEqual(['audit_stream.deleted', 'audit_stream.created']);
});

test('delivers nothing of a person that was erased from the audit log before', async () => {
  const { org, ask, deliver } = await scene();
  await ask(exportAudit, { query: { format: 'csv', search: 'Olga Owner' } });
  await server.services.erasure.withOrg(org.id, ({ db }) =>
    db.updateTable('audit_event').set({ personal: '{}', address: null }).execute(),
  );
  https.received.length = 0;
  await deliver();
  const exported = https.received.flatMap(eventsOf).find(({ metadata }) => metadata.event_code === 'audit.exported');
  expect(JSON.stringify(exported)).not.toContain('"search":"Olga Owner"');
  expect(exported).not.toHaveProperty('src_endpoint');
});

test('reports under /metrics how far the destinations of each kind are behind', async () => {
  const { org, deliver } = await scene('s3');
  const metrics = async () => {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const { body } = await server.app.inject({ url: '/metrics', headers });
    const gaugeOf = (name: string) =>
      Number(new RegExp(`^sightline_audit_stream_${name}\\{kind="s3"\\} ([\\d.]+)$`, 'm').exec(body)?.[1]);
    return { entries: gaugeOf('lag_entries'), seconds: gaugeOf('lag_seconds'), failing: gaugeOf('failing') };
  };
  await deliver();
  const before = await metrics();
  await write(org, 7);
  const waiting = await metrics();
  expect(waiting.entries - before.entries).toBe(7);
  expect(waiting.seconds).toBeGreaterThan(0);
  await deliver();
  expect(await metrics()).toMatchObject({ entries: before.entries });
});
