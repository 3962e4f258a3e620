import { randomUUID } from 'node:crypto';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { requireClocksThen } from '#core/clocks.ts';
import { factId } from '#core/ids.ts';
import { merkleRoot } from '#core/ledger.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { ingestChanges, ingestCommits } from '../../sources/ingest/commands.ts';
import { indexPendingWords } from './indexing.ts';
import { expireEventsOf, expireEventsOfAllOrganizations } from './retention.ts';
import { retentionStartOf } from './retention-start.ts';

let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  server = await startTestServer({ environment: { EVENT_RETENTION_MONTHS: '13', CLIPBOARD_RETENTION_DAYS: '30' } });
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
});
afterEach(() => void vi.useRealTimers());
afterAll(() => server.close());

const day = 24 * 60 * 60_000;
const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
const today = Math.floor(Date.now() / day) * day;

const send = (kind: string, asOf: string, host = 'wiki.example.org', id: string = randomUUID()) => ({
  plugin_id: 'sightline-browser',
  event_type: kind,
  message_id: id,
  original_timestamp: asOf,
  tracking_source: 'chrome',
  content_uri: `https://${host}/`,
  identifiers: {},
});
const sendEvents = (events: unknown[]) => server.as(acme.owner, acme.id)(recordEvents, { body: events });
const find = async (query: string) =>
  (await server.as(acme.owner, acme.id)(queryEvents, { body: { query } })).events.map(({ uuid }) => uuid);
const inOrg = <Row extends Record<string, unknown>>(text: string, values: unknown[] = [acme.id]) =>
  server.services.database.withOrg(acme.id, (tx) => tx.query<Row>({ name: '', text, values }));
const move = () => indexPendingWords(server.services, acme.id);
const forget = (events: number, clipboard: number) =>
  expireEventsOf(server.services, acme.id, { events: today - events * day, clipboard: today - clipboard * day });

/** Posting lists with deleted events, and counts that differ from the rows. */
const inconsistencies = () =>
  inOrg(`
    select 'list' as what, id::text as of from (select unnest(id) as id from posting_list where org_id = $1) p
      where not exists (select from event e where e.org_id = $1 and e.id = p.id)
    union all
    select 'sum', hour || ' ' || kind from (
      select coalesce(h.hour, e.hour) as hour, coalesce(h.kind, e.kind) as kind, h.n, e.n as rows
      from (select hour, kind, n from event_hour_kind where org_id = $1) h full join (
        select floor(date_part('epoch', as_of) / 3600)::int as hour, kind, count(*)::int as n from event where org_id = $1 group by 1, 2) e
        on e.hour = h.hour and e.kind = h.kind) sums where n is distinct from rows`);

test.each([
  ['2026-11-22T13:00:00Z', 13, 30, '2025-10-22', '2026-10-23'],
  ['2026-03-31T00:00:00Z', 1, 7, '2026-02-28', '2026-03-24'],
  ['2026-01-05T23:59:59Z', 13, 30, '2024-12-05', '2025-12-06'],
  ['2026-01-05T10:00:00Z', 1, 900, '2025-12-05', '2025-12-05'],
])('at %s, retains %s months of events and %s days of clipboard events', (now, months, days, events, clipboard) => {
  const start = retentionStartOf(
    { ...server.config, EVENT_RETENTION_MONTHS: months, CLIPBOARD_RETENTION_DAYS: days },
    Date.parse(now),
  );
  expect([start.events, start.clipboard].map((time) => new Date(time).toISOString().slice(0, 10))).toEqual([
    events,
    clipboard,
  ]);
});

test('rejects events older than the retention period, with the reason', async () => {
  const [old, copied, young] = [
    send('web_page_view', ago(500)),
    send('browser_clipboard', ago(40)),
    send('web_page_view', ago(40)),
  ];
  expect(await sendEvents([old, copied, young])).toEqual({
    accepted: 1,
    duplicates: 0,
    rejected: [0, 1].map((index) => expect.objectContaining({ index, code: 'too_old', field: 'original_timestamp' })),
  });
  const repositoryId = await createTestRepository(server, acme);
  const [one, other] = [commitAt('a', ago(5000)), commitAt('b', ago(200))];
  await ingestCommits(server.services, acme.id, repositoryId, { commits: [one, other], branch: 'main' });
  await expireEventsOfAllOrganizations(server.services);
  // The repository history has no retention period.
  expect(await find('kind:commit')).toEqual([other, one].map(({ sha }) => factId('commit', repositoryId, sha)));
});

test('deletes clipboard events first, from lists and counts too, and records it', async () => {
  const at = (minute: number) => new Date(today - 20 * day + minute * 60_000).toISOString();
  const views = Array.from({ length: 30 }, (_, minute) => send('web_page_view', at(minute)));
  const copies = Array.from({ length: 30 }, (_, minute) => send('browser_clipboard', at(minute), 'secret.example.org'));
  const young = send('browser_clipboard', ago(1));
  await sendEvents([...views, ...copies, young]);
  await move();
  await forget(300, 10);
  expect(await inconsistencies()).toEqual([]);
  expect((await find('site:*.example.org')).toSorted()).toEqual(
    [young, ...views].map(({ message_id }) => message_id).toSorted(),
  );
  expect(await find('site:secret.example.org')).toEqual([]);
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, { query: { action: ['event.expired'] } });
  const [entry] = entries;
  expect(entries).toHaveLength(1);
  expect(entry?.actor).toMatchObject({ name: 'Sightline' });
  expect(entry?.sentence.map(({ text }) => text).join(' ')).toContain('30 clipboard events before');
  // A run without deletions records nothing.
  await forget(300, 10);
  expect((await server.as(acme.owner, acme.id)(listAudit, { query: { action: ['event.expired'] } })).entries).toEqual(
    entries,
  );
});

test('deletes more than one batch and keeps the proofs of remaining events valid', async () => {
  const batches = Array.from({ length: 9 }, () => [
    ...Array.from({ length: 300 }, () => send('web_page_view', ago(200))),
    ...Array.from({ length: 10 }, () => send('browser_clipboard', ago(20))),
    ...Array.from({ length: 5 }, () => send('web_page_view', ago(2))),
  ]);
  for (const batch of batches) await sendEvents(batch);
  await forget(100, 10);
  expect(await inconsistencies()).toEqual([]);
  expect(await inOrg('select id from event where org_id = $1')).toHaveLength(45);
  const leaves = await inOrg<{ proof: string; leaf: Buffer }>(
    `select proof, leaf_hash as leaf from (
       select id, proof, leaf_hash from event where org_id = $1
       union all select id, proof, leaf_hash from forgotten_event where org_id = $1) l order by proof, id`,
  );
  const roots = await inOrg<{ id: string; root: string }>(
    `select entry_id as id, entry::json->'subject'->>'root' as root from ledger_known where org_id = $1 and kind = 'event.batch'`,
  );
  expect(roots.length).toBeGreaterThan(0);
  for (const { id, root } of roots) {
    const own = leaves.flatMap(({ proof, leaf }) => (proof === id ? [leaf] : []));
    expect(merkleRoot(own).toString('base64url')).toBe(root);
  }
  // The leaves of a completely deleted batch are deleted too.
  await forget(-2, -2);
  expect(await inOrg('select id from forgotten_event where org_id = $1')).toEqual([]);
  expect(await inOrg('select id from event where org_id = $1')).toEqual([]);
  expect(await inconsistencies()).toEqual([]);
});

test('the next run reports the deletions of an interrupted run', async () => {
  await sendEvents([send('web_page_view', ago(200)), send('web_page_view', ago(2))]);
  await inOrg('insert into event_retention (org_id, events, clipboard_events) values ($1, 70, 4)');
  await forget(100, 10);
  const { entries } = await server.as(acme.owner, acme.id)(listAudit, { query: { action: ['event.expired'] } });
  expect(entries[0]?.sentence.map(({ text }) => text).join(' ')).toMatch(/71 events before .*, 4 clipboard events/);
});

test('removes deleted events from shared lists and drops lists that referred to deleted ones', async () => {
  const moment = ago(20);
  const views = Array.from({ length: 40 }, () => send('web_page_view', moment, 'page.example.org'));
  const copies = Array.from({ length: 40 }, () => send('browser_clipboard', moment, 'copy.example.org'));
  expect(await sendEvents(views.flatMap((view, place) => [view, copies[place]]))).toMatchObject({ accepted: 80 });
  const lists = () =>
    inOrg<{ same_as: string | null; n: number }>(
      'select same_as, cardinality(id) as n from posting_list where org_id = $1 order by n',
    );
  const before = await lists();
  expect(before.filter(({ same_as }) => same_as === null).map(({ n }) => n)).toEqual([40, 40, 80]);
  expect(before.filter(({ same_as }) => same_as !== null).length).toBeGreaterThan(5);
  await forget(100, 10);
  const after = await lists();
  expect(after.filter(({ same_as }) => same_as === null).map(({ n }) => n)).toEqual([40, 40]);
  expect(after.length).toBeLessThan(before.length);
  expect(await inconsistencies()).toEqual([]);
  const ids = views.map(({ message_id }) => message_id).sort();
  for (const query of ['site:page.example.org', 'source:chrome', 'page example'])
    expect((await find(query)).sort()).toEqual(ids);
  expect(await find('site:copy.example.org')).toEqual([]);
  await forget(10, 10);
  expect(await lists()).toEqual([]);
});

test('ignores facts about an event received after its deletion', async () => {
  const repositoryId = await createTestRepository(server, acme);
  const [old, young] = [commitAt('c', ago(200)), commitAt('d', ago(2))];
  await ingestCommits(server.services, acme.id, repositoryId, { commits: [old, young], branch: 'main' });
  await move();
  const files = [{ path: 'src/a.ts', status: 'modified' as const, additions: 1, deletions: 0 }];
  const changes = [old, young].map(({ sha }) => ({ sha, changes: { additions: 1, deletions: 0, files } }));
  await ingestChanges(server.services, acme.id, repositoryId, changes);
  await inOrg(`delete from event where org_id = $1 and as_of < now() - interval '100 days'`);
  const listsOfTheOld = () =>
    inOrg('select term, id from posting_list where org_id = $1 and hour < $2', [acme.id, today / 3_600_000 - 2400]);
  const before = await listsOfTheOld();
  expect(before.length).toBeGreaterThan(5);
  await move();
  expect(await listsOfTheOld()).toEqual(before);
  expect(await find('file:src/a.ts')).toEqual([factId('commit', repositoryId, young.sha)]);
});

test('deletes an unused name days later, unless it appears again', async () => {
  await sendEvents([
    send('web_page_view', ago(200), 'gone.example.org'),
    send('web_page_view', ago(200), 'again.example.org'),
    send('web_page_view', ago(2), 'there.example.org'),
  ]);
  await forget(100, 10);
  const sites = async () =>
    (
      await inOrg<{ value: string }>(`select value from posting_name where org_id = $1 and field = 'site' order by 1`)
    ).map(({ value }) => value);
  const later = () => inOrg(`update posting_name set idle_since = idle_since - interval '3 days' where org_id = $1`);
  expect(await sites()).toEqual(['again.example.org', 'gone.example.org', 'there.example.org']);
  await later();
  await sendEvents([send('web_page_view', ago(1), 'again.example.org')]);
  await forget(100, 10);
  expect(await sites()).toEqual(['again.example.org', 'there.example.org']);
  expect(await find('site:*.example.org')).toHaveLength(2);
});

test('deletes expired events of every organization on schedule', async () => {
  const other = await server.make.organization('Other');
  for (const { id } of [acme, other])
    await server.services.database.withOrg(id, (tx) =>
      tx.query({
        name: '',
        text: `insert into event (org_id, id, as_of, received_at, kind, source, summary, detail, leaf_hash, proof)
               select $1, gen_random_uuid(), now() - age, now(), 'other', 'test', '{}', '[]', '\\x00', gen_random_uuid()
               from unnest('{500 days,10 days}'::interval[]) as age`,
        values: [id],
      }),
    );
  await expireEventsOfAllOrganizations(server.services);
  for (const { id } of [acme, other])
    expect(
      await server.services.database.withOrg(id, ({ db }) => db.selectFrom('event').select('id').execute()),
    ).toHaveLength(1);
  const { rows } = await server.services.database.pool.query(
    "select cron, timezone from pgboss.schedule where name = 'events.forget'",
  );
  expect(rows).toEqual([{ cron: '47 3 * * *', timezone: 'UTC' }]);
});

const person = { name: 'Olga', email: 'olga@example.org', login: 'olga', avatarUrl: null };
const commitAt = (letter: string, at: string) => ({
  sha: letter.repeat(40),
  message: 'Change everything',
  author: person,
  committer: person,
  authoredAt: at,
  committedAt: at,
  parents: [],
});

test('deletes nothing while the clocks of process and database disagree, and never most events of an organization', async () => {
  const { id } = acme;
  await inOrg(
    `with added as (
       insert into event (org_id, id, as_of, received_at, kind, source, summary, detail, leaf_hash, proof)
       select $1, gen_random_uuid(), now() - age, now(), 'other', 'test', '{}', '[]', '\\x00', gen_random_uuid()
       from unnest('{500 days,499 days,10 days}'::interval[]) as age returning as_of
     )
     insert into event_hour_kind (org_id, hour, kind, n)
     select $1, floor(date_part('epoch', as_of) / 3600)::int, 'other', 1 from added`,
  );
  const remainingCount = async () => (await inOrg('select from event where org_id = $1')).length;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 800 * day });
  await expect(requireClocksThen(server.services, expireEventsOfAllOrganizations)()).rejects.toThrow(
    'clocks of this machine and of the',
  );
  vi.useRealTimers();
  const failure = await expireEventsOfAllOrganizations(server.services).catch((error: Error) => error.cause);
  expect(failure).toMatchObject({ message: expect.stringContaining(`2 of 3 events are older`) });
  expect(await remainingCount()).toBe(3);
  expect(String(failure)).toContain(`events delete-expired ${id}`);
  await expireEventsOf(server.services, id, retentionStartOf(server.config));
  expect(await remainingCount()).toBe(1);
});
