import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { erasePerson } from '@sightline/contract/organization/erasure.ts';
import { exportPersonalData, getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { getEvent, queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { getHistogram } from '@sightline/contract/timeline/explore.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openObjectStore } from '#providers/object-store.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, superuserUrl, type TestOrganization, type TestServer } from '#testing/server.ts';
import { checkLedger } from '../../../ledger/ledger/check/check.ts';
import { signHead } from '../../../ledger/ledger/checkpoints.ts';
import { sequenceEntries } from '../../../ledger/ledger/sequence.ts';
import { runErasure } from '../../../organization/erasure/run.ts';
import { ingestCommits } from '../../../sources/ingest/commands.ts';
import { indexLateFields } from '../commands.ts';
import { indexPendingWords } from '../indexing.ts';
import { expireEventsOf } from '../retention.ts';
import { planQuery } from '../store/pages.ts';
import { archiveEventsOf } from './archive-events.ts';
import { countAllByGroups } from './counts.ts';
import { restoreEvents } from './restore-events.ts';

let server: TestServer;
let acme: TestOrganization;
let folder: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { MASTER_KEY: randomBytes(32).toString('base64') } });
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  folder = await mkdtemp(join(tmpdir(), 'sightline-archive-'));
});
afterEach(async () => {
  server.services.archiveStore = undefined;
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => server.close());

const day = 24 * 60 * 60_000;
const midnight = Math.floor(Date.now() / day) * day;
const timeOf = (daysAgo: number, minute = 0) => new Date(midnight - daysAgo * day + minute * 60_000).toISOString();

const view = (asOf: string, host = 'wiki.example.org', id: string = randomUUID()) => ({
  plugin_id: 'sightline-browser',
  event_type: 'web_page_view',
  message_id: id,
  original_timestamp: asOf,
  tracking_source: 'chrome',
  content_uri: `https://${host}/`,
  identifiers: {},
});
const send = (events: unknown[], { owner, id } = acme) => server.as(owner, id)(recordEvents, { body: events });
const find = async (query: string) =>
  (await server.as(acme.owner, acme.id)(queryEvents, { body: { query } })).events.map(({ uuid }) => uuid);
const inOrg = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  server.services.database.withOrg(acme.id, (tx) => tx.query<Row>({ name: '', text, values: [acme.id, ...values] }));
const countIn = async (table: string) =>
  (await inOrg<{ n: number }>(`select count(*)::int as n from ${table} where org_id = $1`))[0]?.n;
const archive = (days: number, { id } = acme) =>
  archiveEventsOf(
    server.services,
    id,
    { occurred: new Date(midnight - days * day), received: new Date(Date.now() + day) },
    1,
  );
const seal = async () => {
  while ((await sequenceEntries(server.services.ledger, acme.id)) > 0);
  await signHead(server.services.ledger, acme.id);
};
const problems = async () => {
  await seal();
  return (await checkLedger(server.services, acme.id))?.problems ?? [];
};
const idsOf = (events: readonly { message_id: string }[]) => events.map(({ message_id }) => message_id).toSorted();

test('moves events with their words to segments of the ledger, and finds them there', async () => {
  const old = Array.from({ length: 40 }, (_, minute) =>
    view(timeOf(60, minute), minute % 2 === 0 ? 'even.example.org' : 'odd.example.org'),
  );
  const young = view(timeOf(3), 'even.example.org');
  await send([...old, young]);
  expect(await archive(30)).toBe(40);
  expect([await countIn('event'), await countIn('event_segment')]).toEqual([1, 1]);
  expect(
    await inOrg('select from posting_list where org_id = $1 and hour < $2', [(midnight - 30 * day) / 3_600_000]),
  ).toEqual([]);
  expect((await find('site:even.example.org')).length).toBe(21);
  const { events, archived } = await server.as(acme.owner, acme.id)(queryEvents, { body: {} });
  expect([events.length, archived]).toEqual([41, { events: 40, isExternal: false }]);
  const { total } = await server.as(acme.owner, acme.id)(getHistogram, { body: { query: '' } });
  expect(total).toBe(41);
  const single = await server.as(acme.owner, acme.id)(getEvent, { params: { eventId: old[0]?.message_id ?? '' } });
  expect(single).toMatchObject({ uuid: old[0]?.message_id, as_of: timeOf(60) });
  expect(await problems()).toEqual([]);
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, { query: { action: ['event.archived'] } });
  const date = timeOf(60).slice(0, 10);
  expect(entries).toMatchObject([{ sentence: [{ text: `archived events from ${date} to ${date}, 40 in all` }] }]);
  // Nothing is left to do.
  expect(await archive(30)).toBe(0);
});

test('counts archived events of partial hours at the ends of a range', async () => {
  const edge = Date.now() - 61 * day;
  await send([-5, 5].map((minutes) => view(new Date(edge + minutes * 60_000).toISOString())));
  await archive(30);
  const { total } = await server.as(acme.owner, acme.id)(getHistogram, { body: { query: 'after:-61d' } });
  expect(total).toBe(1);
});

test('counts the newest events exactly where segments and rows overlap', async () => {
  const start = Date.parse(timeOf(60));
  const plan = await planQuery(server.services.database, acme.id, { is: 'all' });
  const minutes: number[] = [];
  const sendAt = async (...at: number[]) => {
    minutes.push(...at);
    await send(at.map((minute) => view(timeOf(60, minute))));
  };
  const expectNewest = async () => {
    const newestFirst = minutes.toSorted((one, other) => other - one);
    for (const newest of [1, 4, 7, 10, 100]) {
      const buckets = { start, size: 60_000 };
      const { totals } = await countAllByGroups(
        server.services,
        plan,
        { by: 'nothing' },
        { scope: { newest }, buckets },
      );
      expect(totals.map(({ place }) => place).toSorted((one, other) => other - one)).toEqual(
        newestFirst.slice(0, newest),
      );
    }
  };
  const young = 59 * 24 * 60;
  await sendAt(1, 4, 7, 10, young);
  await archive(30);
  await expectNewest();
  await sendAt(2, 5, 8, 12);
  await expectNewest();
  await archive(30);
  expect(await countIn('event_segment')).toBe(2);
  await expectNewest();
  await sendAt(3, 6, 9, 11);
  await expectNewest();
});

test('keeps the words of events that arrived later in an hour of archived ones', async () => {
  const views = (host: string) => Array.from({ length: 20 }, (_, minute) => view(timeOf(60, minute), host));
  const [early, late] = [views('early.example.org'), views('late.example.org')];
  await send(early);
  await indexPendingWords(server.services, acme.id);
  await send(late);
  await indexPendingWords(server.services, acme.id);
  const [last] = await inOrg<{ at: Date }>('select max(received_at) as at from event where org_id = $1');
  const received = last?.at ?? new Date();
  const occurred = new Date(midnight - 30 * day);
  expect(await archiveEventsOf(server.services, acme.id, { occurred, received }, 1)).toBe(20);
  const listed = await inOrg<{ id: string }>('select distinct unnest(id) as id from posting_list where org_id = $1');
  expect(listed.map(({ id }) => id).toSorted()).toEqual(idsOf(late));
  for (const [host, events] of [
    ['early.example.org', early],
    ['late.example.org', late],
    ['*.example.org', [...early, ...late]],
  ] as const)
    expect([host, (await find(`site:${host}`)).toSorted()]).toEqual([host, idsOf(events)]);
  expect(await problems()).toEqual([]);
});

test('stores a repeated message once after its event was archived', async () => {
  const old = Array.from({ length: 5 }, (_, minute) => view(timeOf(60, minute)));
  await send(old);
  await archive(30);
  const fresh = view(timeOf(60, 50));
  expect(await send([...old, fresh])).toMatchObject({ accepted: 1, duplicates: 5 });
  // Also with another time, and in a batch of its own.
  expect(await send([{ ...old[0], original_timestamp: timeOf(0) }])).toMatchObject({ accepted: 0, duplicates: 1 });
  expect((await find('')).toSorted()).toEqual(idsOf([...old, fresh]));
  expect(await problems()).toEqual([]);
  // The same for facts of a code host.
  const repositoryId = await createTestRepository(server, acme);
  const commit = commitAt(1, timeOf(50));
  await ingestCommits(server.services, acme.id, repositoryId, { commits: [commit], branch: 'main' });
  await archive(30);
  await ingestCommits(server.services, acme.id, repositoryId, {
    commits: [commit, commitAt(2, timeOf(50))],
    branch: 'main',
  });
  expect(await find('kind:commit')).toHaveLength(2);
  expect(await problems()).toEqual([]);
});

test('stores a message once that is repeated while its event is archived', async () => {
  const [one, ...others] = Array.from({ length: 5 }, (_, minute) => view(timeOf(60, minute)));
  const repositoryId = await createTestRepository(server, acme);
  const ingest = () =>
    ingestCommits(server.services, acme.id, repositoryId, { commits: [commitAt(1, timeOf(60))], branch: 'main' });
  await send([one, ...others]);
  await ingest();
  const stored = (await find('')).toSorted();
  await indexPendingWords(server.services, acme.id);
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  try {
    // The move has deleted the rows and waits for the lists. An event with the key of a row then waits for the move.
    await superuser.query('begin');
    await superuser.query('select from posting_list where org_id = $1 for update', [acme.id]);
    const moved = archive(30);
    await untilWaiting(superuser, '%delete from posting_list%', 1);
    const repeated = send([one]);
    await untilWaiting(superuser, '%insert into event %', 1);
    const ingested = ingest();
    await untilWaiting(superuser, '%insert into event %', 2);
    await superuser.query('commit');
    expect(await moved).toBe(6);
    expect(await repeated).toMatchObject({ accepted: 0, duplicates: 1 });
    await ingested;
  } finally {
    await superuser.end();
  }
  expect(await countIn('event')).toBe(0);
  expect((await find('')).toSorted()).toEqual(stored);
  expect(stored).toHaveLength(6);
  expect(await problems()).toEqual([]);
});

/** Waits until this number of statements like a pattern wait for locks. */
async function untilWaiting(client: pg.Client, pattern: string, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        // Within a transaction, the view is the same until then.
        await client.query('select pg_stat_clear_snapshot()');
        const { rowCount } = await client.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like $1 and datname = current_database()`,
          [pattern],
        );
        return rowCount;
      },
      { timeout: 10_000 },
    )
    .toBe(count);
}

const commitAt = (n: number, at: string, message = 'Fix the login') => {
  const person = { name: 'Ada', email: 'ada@example.org', login: 'ada', avatarUrl: null };
  const sha = n.toString(16).padStart(40, '0');
  return { sha, message, author: person, committer: person, parents: [], authoredAt: at, committedAt: at };
};

test('adds later fields to archived events, and merges segments of a month', async () => {
  const days = [61, 62, 63];
  const events = days.map((ago) => view(timeOf(ago)));
  for (const [place, event] of events.entries()) {
    await send([event]);
    await archive(60 - place);
  }
  const added = { id: events[1]?.message_id ?? '', fields: { file: ['src/archived.ts'] } };
  await server.services.database.withOrg(acme.id, (tx) => indexLateFields(server.services, tx, acme.id, [added]));
  await archive(30);
  expect(await find('file:src/archived.ts')).toEqual([added.id]);
  expect(await find('file:src/**')).toEqual([added.id]);
  const months = new Set(days.map((ago) => timeOf(ago).slice(0, 7)));
  expect(await countIn('event_segment')).toBe(months.size);
  expect((await find('')).toSorted()).toEqual(idsOf(events));
  expect(await problems()).toEqual([]);
});

test('reports a changed segment, and an event that differs from its proof', async () => {
  await send(Array.from({ length: 3 }, (_, minute) => view(timeOf(60, minute))));
  await archive(30);
  await seal();
  const owner = server.services.erasure;
  await owner.withOrg(acme.id, (tx) =>
    tx.query({
      name: '',
      text: `update event_segment set data = overlay(data placing '\\x00'::bytea from 20 for 1) where org_id = $1`,
      values: [acme.id],
    }),
  );
  expect(await problems()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'event', message: expect.stringMatching(/segment .* cannot be read/) }),
    ]),
  );
  await owner.withOrg(acme.id, (tx) =>
    tx.query({ name: '', text: `update event_segment set sha256 = '\\x00' where org_id = $1`, values: [acme.id] }),
  );
  expect((await problems()).map(({ message }) => message)).toEqual(
    expect.arrayContaining([expect.stringMatching(/segment .* is not the one in its ledger entry/)]),
  );
});

test('deletes expired events from segments, and keeps what proofs need', async () => {
  const at = (minute: number) => timeOf(60, minute);
  const copied = { ...view(at(1)), event_type: 'browser_clipboard' };
  const viewed = view(at(2));
  await send([copied, viewed, view(timeOf(200))]);
  await archive(30);
  await expireEventsOf(server.services, acme.id, { events: midnight - 100 * day, clipboard: midnight - 30 * day });
  expect(await find('')).toEqual([viewed.message_id]);
  expect(await inOrg('select kind, n from event_hour_kind where org_id = $1')).toEqual([
    { kind: 'web_page_view', n: 1 },
  ]);
  expect(await countIn('event_segment')).toBe(1);
  expect(await problems()).toEqual([]);
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, { query: { action: ['event.expired'] } });
  expect(entries).toMatchObject([{ sentence: [{ text: expect.stringMatching(/: 1 events .*, 1 clipboard events/) }] }]);
});

test('removes the name of a person from segments, and exports their archived events', async () => {
  const repositoryId = await createTestRepository(server, acme);
  const zelda = await server.make.member(acme.id, 'rol_contributor');
  const her = { name: 'Zelda Quixote', email: zelda.email, login: 'zeldaq', avatarUrl: null };
  const commits = [
    { ...commitAt(1, timeOf(60)), author: her, committer: her },
    commitAt(2, timeOf(60, 1), 'Fix what Zelda Quixote broke'),
  ];
  await ingestCommits(server.services, acme.id, repositoryId, { commits, branch: 'main' });
  await server.as(zelda, acme.id)(recordEvents, { body: [view(timeOf(61), 'own.example.org')] });
  await archive(30);
  const exported = await server.as(zelda, acme.id)(exportPersonalData, {});
  expect(JSON.stringify(exported)).toContain('own.example.org');
  const { items } = await server.as(zelda, acme.id)(getPersonalData, {});
  expect(items.find(({ id }) => id === 'browser_events')).toMatchObject({ count: 1, first: timeOf(61) });
  expect(await find('quixote')).toHaveLength(2);
  const erasure = await server.as(acme.owner, acme.id)(erasePerson, {
    body: { subject: { kind: 'member', id: zelda.id }, confirm: zelda.email },
  });
  await runErasure(server.services, acme.id, erasure.id);
  expect(await find('quixote')).toEqual([]);
  expect(await find('broke')).toHaveLength(1);
  expect(await problems()).toEqual([]);
});

test('restores archived months to rows', async () => {
  const events = Array.from({ length: 10 }, (_, minute) => view(timeOf(60, minute), `site${minute}.example.org`));
  await send(events);
  const before = await inOrg('select * from event where org_id = $1 order by id');
  await archive(30);
  const month = timeOf(60).slice(0, 7);
  expect(await restoreEvents(server.services, { clock: true }, acme.id, { from: month, to: month })).toBe(10);
  expect(await inOrg('select * from event where org_id = $1 order by id')).toEqual(before);
  expect(await countIn('event_segment')).toBe(0);
  expect(await find('site:site4.example.org')).toEqual([events[4]?.message_id]);
  expect(await find('site:*.example.org')).toHaveLength(10);
  expect(await inOrg('select sum(n)::int as n from event_hour_kind where org_id = $1')).toEqual([{ n: 10 }]);
  expect(await send(events)).toMatchObject({ accepted: 0, duplicates: 10 });
  expect(await problems()).toEqual([]);
  // And they can be archived again.
  await indexPendingWords(server.services, acme.id);
  expect(await archive(30)).toBe(10);
  expect(await find('site:*.example.org')).toHaveLength(10);
});

test('stores segments in a folder, deletes replaced ones, and says where a page was read', async () => {
  server.services.archiveStore = openObjectStore(folder);
  await send([view(timeOf(60)), { ...view(timeOf(60, 1)), event_type: 'browser_clipboard' }, view(timeOf(2))]);
  await archive(30);
  const objects = () => readdir(join(folder, acme.id));
  const [first] = await objects();
  expect(await inOrg('select data from event_segment where org_id = $1')).toEqual([{ data: null }]);
  const page = await server.as(acme.owner, acme.id)(queryEvents, { body: {} });
  expect([page.events.length, page.archived]).toEqual([3, { events: 2, isExternal: true }]);
  await expireEventsOf(server.services, acme.id, { events: midnight - 100 * day, clipboard: midnight - 30 * day });
  await archive(30);
  expect(await objects()).toHaveLength(1);
  expect(await objects()).not.toContain(first);
  expect(await countIn('event_segment_garbage')).toBe(0);
  // Newer events can be read without the folder.
  await rm(folder, { recursive: true });
  expect(await find(`after:-10d`)).toHaveLength(1);
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api${queryEvents.path}`,
    headers: { authorization: `Bearer ${await server.token(acme.owner, acme.id)}` },
    payload: { query: 'is:late' },
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([503, { code: 'unavailable' }]);
});
