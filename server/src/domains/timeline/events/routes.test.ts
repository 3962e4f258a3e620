import { randomUUID } from 'node:crypto';
import { getEvent, queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { merkleRoot } from '#core/ledger.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
});
afterAll(() => server.close());
beforeEach(async () => {
  acme = await server.make.organization('Acme');
});

const asOwner = () => server.as(acme.owner, acme.id);
const view = (change: Record<string, unknown> = {}) => ({
  plugin_id: 'sightline-browser',
  event_type: 'web_page_view',
  message_id: randomUUID(),
  identifiers: { kind: 'issue' },
  original_timestamp: '2026-11-20T10:00:00Z',
  tracking_source: 'chrome',
  content_uri: 'https://someone:secret@wiki.example.org/en/docs?token=abc#part',
  ...change,
});
const send = (events: unknown[]) => asOwner()(recordEvents, { body: events });
/** Waits until all words are in posting lists. */
const indexed = () =>
  vi.waitFor(
    async () => {
      const pending = await server.services.database.withOrg(acme.id, ({ db }) =>
        db.selectFrom('posting_pending').select('id').execute(),
      );
      expect(pending).toEqual([]);
    },
    { timeout: 15_000 },
  );
const rowsOf = (orgId: string) =>
  server.services.database.withOrg(orgId, async ({ db }) => ({
    events: await db.selectFrom('event').selectAll().orderBy('id').execute(),
    entries: await db
      .selectFrom('ledger_known')
      .selectAll()
      .where('kind', '=', 'event.batch')
      .orderBy('entry_id')
      .execute(),
  }));

test('stores events and shows them, with only the host of a URL', async () => {
  const event = view();
  expect(await send([event])).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  const answered = await asOwner()(queryEvents, { body: { query: 'kind:web_page_view' } });
  const { events } = answered;
  expect(answered).toMatchObject({ request: { context: null, query: 'kind:web_page_view', direction: 'older' } });
  expect(Date.now() - Date.parse(answered.dataUpdatedAt)).toBeLessThan(60_000);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    uuid: event.message_id,
    kind: 'webPageView',
    as_of: '2026-11-20T10:00:00Z',
    source: 'chrome',
  });
  const rows = JSON.stringify(await rowsOf(acme.id));
  expect(rows).toContain('wiki.example.org');
  expect(rows).not.toMatch(/secret|token=abc|en\/docs/);
  const one = await asOwner()(getEvent, { params: { eventId: event.message_id } });
  expect(one.detail?.parameters.map(({ label }) => label)).toEqual(['Kind', 'Site', 'Sent by']);
});

test('treats a resent message as the same event, regardless of its time', async () => {
  const [first, second] = [view(), view()];
  await send([first]);
  expect(await send([{ ...first, original_timestamp: '2026-11-21T10:00:00Z' }, second])).toMatchObject({
    accepted: 1,
    duplicates: 1,
  });
  expect(await send([second, second, first])).toMatchObject({ accepted: 0, duplicates: 3 });
  const { events } = await rowsOf(acme.id);
  expect(events.map((row) => row.id).sort()).toEqual([first.message_id, second.message_id].sort());
});

test('every batch has one ledger entry with the root over the leaves of its new events', async () => {
  const [one, two, three, four] = [view(), view(), view(), view()];
  await send([one, two]);
  await send([two, three, four]);
  const { events, entries } = await rowsOf(acme.id);
  expect(entries).toHaveLength(2);
  for (const entry of entries) {
    const leaves = events.filter((row) => row.proof === entry.entry_id).map((row) => row.leaf_hash);
    expect(JSON.parse(entry.entry ?? '').subject).toEqual({
      count: leaves.length,
      root: merkleRoot(leaves).toString('base64url'),
    });
  }
});

test('validates each item separately and accepts the valid ones', async () => {
  const answer = await send([
    view(),
    view({ message_id: 'x' }),
    view({ identifiers: { kind: 'nul \0' } }),
    view({ original_timestamp: '0000-01-01T00:00:00Z' }),
    view({ org_id: randomUUID() }),
    view({ user_id: randomUUID() }),
    view({ surprise: 1 }),
    'nonsense',
    view({ original_timestamp: '0001-01-01T00:00:00Z' }),
  ]);
  expect(answer.accepted).toBe(2);
  expect(answer.rejected.map(({ index, code, field }) => [index, code, field])).toEqual([
    [1, 'validation_failed', 'message_id'],
    [2, 'validation_failed', 'identifiers.kind'],
    [3, 'validation_failed', 'original_timestamp'],
    [4, 'forbidden', 'org_id'],
    [5, 'forbidden', 'user_id'],
    [6, 'validation_failed', 'surprise'],
    [7, 'validation_failed', 'event'],
  ]);
  // A zero date means now.
  const [newest] = (await asOwner()(queryEvents, { body: {} })).events;
  expect(Math.abs(Date.now() - Date.parse(newest?.as_of ?? ''))).toBeLessThan(60_000);
});

test('accepts every type of the specification and all twelve fields of an event', async () => {
  const types = [
    'other',
    'pull_request',
    'web_page_view',
    'commit',
    'vulnerability',
    'browser_clipboard',
    'ide_clipboard',
  ];
  const complete = {
    org_id: acme.id,
    user_id: acme.owner.id,
    user_org_ids: [acme.id],
    identifiers: { kind: 'issue' },
    sent_at: '2026-11-20T10:00:01Z',
    tracking_version: '1.0.0',
  };
  const sent = types.map((event_type) => view({ ...complete, event_type }));
  expect(Object.keys(sent[0] ?? {})).toHaveLength(12);
  expect(await send(sent)).toEqual({ accepted: 7, duplicates: 0, rejected: [] });
  const { events } = await asOwner()(queryEvents, { body: {} });
  expect(events.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
  const { rejected } = await send([view({ event_type: 'keystroke' })]);
  expect(rejected.map(({ field }) => field)).toEqual(['event_type']);
});

test('pages both ways without gaps or repeats, also for equal times', async () => {
  const events = Array.from({ length: 45 }, (_, index) =>
    view({ original_timestamp: new Date(Date.UTC(2026, 10, 1, 0, Math.floor(index / 5))).toISOString() }),
  );
  await send(events);
  const call = asOwner();
  const seen: string[] = [];
  let older: string | undefined;
  for (;;) {
    const page = await call(queryEvents, {
      body: { pagination: { events: 10, cursors: older === undefined ? {} : { older } } },
    });
    seen.push(...page.events.map((event) => event.uuid));
    older = page.cursors.older ?? undefined;
    if (page.reachedEnd) break;
  }
  expect(seen).toHaveLength(45);
  expect(new Set(seen).size).toBe(45);
  const back: string[] = [];
  let newer = older;
  for (;;) {
    const page = await call(queryEvents, {
      body: { pagination: { events: 7, direction: 'newer', cursors: { newer } } },
    });
    back.unshift(...page.events.map((event) => event.uuid));
    newer = page.cursors.newer ?? undefined;
    if (page.reachedStart) break;
  }
  // The cursor is the oldest event.
  expect(back).toEqual(seen.slice(0, 44));
});

test('finds words before and after indexing, combined with other filters', async () => {
  const rare = view({ content_uri: 'https://zygote.example/' });
  await send([rare, view(), view({ event_type: 'other', identifiers: { tool: 'zygote/threads' } })]);
  const call = asOwner();
  const find = async (
    query: string,
    filters: { within: 'event'; field: string; predicate: 'is' | 'is-not'; arguments: string[] }[] = [],
  ) => (await call(queryEvents, { body: { query, filters } })).events.map((event) => event.uuid);
  const kind = { within: 'event', field: 'kind', predicate: 'is', arguments: ['web_page_view'] } as const;
  const search = async () => [
    await find('zygote'),
    await find('ZYGOTE threads'),
    await find('zygote', [{ ...kind, arguments: [...kind.arguments] }]),
    await find('absent'),
  ];
  const check = (answers: string[][]) => {
    expect(answers.map((answer) => answer.length)).toEqual([2, 1, 1, 0]);
    expect(answers[2]).toEqual([rare.message_id]);
  };
  check(await search());
  await indexed();
  check(await search());
});

test('indexes words shared by many events of a batch at once and finds them like others', async () => {
  const hour = 3_600_000;
  const batch = Array.from({ length: 80 }, (_, place) =>
    view({
      original_timestamp: new Date(Date.UTC(2026, 10, 20, 9, 59, 30) + place * 1_000).toISOString(),
      content_uri: `https://${place % 2 === 0 ? 'even' : 'odd'}.example.org/`,
    }),
  );
  expect(await send(batch)).toMatchObject({ accepted: 80, rejected: [] });
  const lists = await server.services.database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('posting_list').select(['hour', 'as_of', 'id', 'same_as']).execute(),
  );
  for (const { hour: at, as_of } of lists) {
    for (const time of as_of ?? []) expect(Math.floor(time.getTime() / hour)).toBe(at);
  }
  expect(new Set(lists.flatMap(({ id }) => id ?? [])).size).toBe(80);
  // For both hours: all events, the even ones and the odd ones.
  expect(lists.filter(({ same_as }) => same_as === null)).toHaveLength(6);
  expect(lists.length).toBeGreaterThan(20);
  const call = asOwner();
  const find = async (query: string) =>
    (await call(queryEvents, { body: { query } })).events.map((event) => event.uuid).sort();
  const ids = (rest: number) => batch.flatMap(({ message_id }, place) => (place % 2 === rest ? message_id : [])).sort();
  const check = async () => {
    expect(await find('even')).toEqual(ids(0));
    expect(await find('odd issue')).toEqual(ids(1));
  };
  await check();
  // A resent batch is rejected as duplicates and writes nothing twice.
  expect(await send([...batch.slice(0, 60), view()])).toMatchObject({ accepted: 1, duplicates: 60 });
  await indexed();
  await check();
});

test('treats an ID in capital letters as the same ID', async () => {
  const event = view();
  const upperCase = { ...event, message_id: event.message_id.toUpperCase() };
  expect(await send([upperCase, event])).toMatchObject({ accepted: 1, duplicates: 1 });
  expect(await send([upperCase, view()])).toMatchObject({ accepted: 1, duplicates: 1 });
  const { events, entries } = await rowsOf(acme.id);
  expect(events.map(({ proof }) => proof).sort()).toEqual(entries.map(({ entry_id }) => entry_id).sort());
});

test('a contributor sees only own events, and another organization sees none', async () => {
  const event = view();
  await send([event]);
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  const call = server.as(contributor, acme.id);
  expect((await call(queryEvents, { body: {} })).events).toEqual([]);
  const own = view();
  await call(recordEvents, { body: [own] });
  expect((await call(queryEvents, { body: {} })).events.map(({ uuid }) => uuid)).toEqual([own.message_id]);
  expect(await refusalOf(call(getEvent, { params: { eventId: event.message_id } }))).toEqual({
    status: 404,
    code: 'not_found',
  });
  const other = await server.make.organization('Other');
  const outside = server.as(other.owner, other.id);
  expect((await outside(queryEvents, { body: {} })).events).toEqual([]);
  expect(await refusalOf(outside(getEvent, { params: { eventId: event.message_id } }))).toEqual({
    status: 404,
    code: 'not_found',
  });
});
