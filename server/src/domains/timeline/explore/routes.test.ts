import { randomUUID } from 'node:crypto';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { createView, deleteView, getHistogram, listViews, updateView } from '@sightline/contract/timeline/explore.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
});
afterAll(() => server?.close());
beforeEach(async () => {
  acme = await server.make.organization();
});

const start = Date.UTC(2026, 10, 2, 10);

/** Records events at these minutes after the start. */
async function send(minutes: readonly number[], type = 'web_page_view', who: TestAccount = acme.owner): Promise<void> {
  const body = minutes.map((minute) => ({
    plugin_id: 'browser',
    event_type: type,
    message_id: randomUUID(),
    original_timestamp: new Date(start + minute * 60_000).toISOString(),
    content_uri: minute % 2 === 0 ? 'https://even.example/' : 'https://odd.example/',
  }));
  for (let at = 0; at < body.length; at += 500)
    await server.as(who, acme.id)(recordEvents, { body: body.slice(at, at + 500) });
}

const asOwner = () => server.as(acme.owner, acme.id);
const histogram = async (query: string, offset = 0, who = acme.owner) =>
  server.as(who, acme.id)(getHistogram, { body: { query, offset } });
const sumOf = ({ buckets }: { buckets: { kinds: Partial<Record<string, number>> }[] }) =>
  buckets.reduce((sum, { kinds }) => sum + Object.values(kinds).reduce<number>((all, n) => all + (n ?? 0), 0), 0);

const indexed = () =>
  vi.waitFor(
    async () => {
      const pending = await server.services.database.withOrg(acme.id, ({ db }) =>
        db.selectFrom('posting_pending').select('seq').execute(),
      );
      expect(pending).toEqual([]);
    },
    { timeout: 30_000 },
  );

test('counts by kind in buckets that fit the range, before and after hourly aggregation', async () => {
  await send([0, 1, 59, 60, 61, 600]);
  await send([30, 2000], 'ide_clipboard');
  const checkCounts = async () => {
    const all = await histogram('');
    expect([all.total, sumOf(all), all.countedFrom]).toEqual([8, 8, null]);
    // A day and a half in at most 120 buckets.
    expect(all.bucket).toBe(1800);
    expect(all.buckets[0]).toEqual({ at: '2026-11-02T10:00:00.000Z', kinds: { web_page_view: 2 } });
    const long = await histogram('date:2026-10-01..2026-11-20');
    expect([long.bucket, long.total]).toEqual([43_200, 8]);
    expect(long.from).toBe('2026-10-01T00:00:00.000Z');
    expect(long.to).toBe('2026-11-21T00:00:00.000Z');
    // The ends are within hours.
    const cut = await histogram('after:2026-10-01T10:10:00Z before:2026-11-02T11:00:30Z kind:web');
    expect([cut.bucket, cut.total]).toEqual([43_200, 4]);
    const within = await histogram('after:2026-11-02T10:00:30Z before:2026-11-02T10:50:00Z');
    expect([within.bucket, within.total]).toEqual([60, 2]);
    expect((await histogram('kind:ide_clipboard date:2026-10-01..2026-11-20')).total).toBe(2);
    expect((await histogram('site:even.example date:2026-10-01..2026-11-20')).total).toBe(5);
    expect((await histogram('date:2026-10-01..2026-11-20', 330)).total).toBe(8);
  };
  await checkCounts();
  await indexed();
  await checkCounts();
  await send([62]);
  expect((await histogram('date:2026-10-01..2026-11-20')).total).toBe(9);
});

test('starts days by the time zone and weeks on Mondays', async () => {
  await send([0, 60 * 24 * 100]);
  const days = await histogram('', 120);
  expect(days.bucket).toBe(86_400);
  expect(days.from).toBe('2026-11-01T22:00:00.000Z');
  const weeks = await histogram('after:2025-11-05 before:2027-02-15', 0);
  expect([weeks.bucket, new Date(weeks.from).getUTCDay()]).toEqual([7 * 86_400, 1]);
});

test('returns no bucket without matches', async () => {
  await send([0]);
  expect(await histogram('absent')).toMatchObject({ buckets: [], total: 0, countedFrom: null });
  expect(await histogram('kind:commit')).toMatchObject({ buckets: [], total: 0 });
});

test('a member limited to own events counts and exports only those', async () => {
  const ada = await server.make.member(acme.id, 'rol_contributor');
  await send([0, 1]);
  await send([2], 'web_page_view', ada);
  await indexed();
  expect((await histogram('date:2026-10-01..2026-11-20', 0, ada)).total).toBe(1);
  expect(JSON.parse((await download({ format: 'json' }, ada)).text)).toHaveLength(1);
});

test('reports the position of an error in a query', async () => {
  await expect(histogram('sevrity:high')).rejects.toMatchObject({
    status: 400,
    refusal: { code: 'query_invalid', query: { start: 0, end: 7 } },
  });
  expect((await download({ query: 'kind:' })).status).toBe(400);
  await expect(asOwner()(createView, { body: { name: 'Bad', query: '(' } })).rejects.toMatchObject({ status: 400 });
});

async function download(query: Record<string, string>, who = acme.owner) {
  const token = await server.token(who, acme.id);
  const answer = await fetch(`${server.url}/api/v2/events/explore/export?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { text: await answer.text(), headers: answer.headers, status: answer.status };
}

test('exports every event of a query in each format and records it in the audit log', async () => {
  await send(Array.from({ length: 2300 }, (_, place) => place));
  const ndjson = await download({ format: 'ndjson' });
  const lines = ndjson.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { uuid: string; as_of: string });
  expect(ndjson.headers.get('x-total-count')).toBe('2300');
  expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(2300);
  expect(lines[0]?.as_of).toBe(new Date(start + 2299 * 60_000).toISOString().replace('.000', ''));
  expect(JSON.parse((await download({ format: 'json', query: 'site:even.example' })).text)).toHaveLength(1150);
  const csv = await download({ query: 'after:2026-11-04T00:00:00Z' });
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="events-[^"]+\.csv"$/);
  expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1 + 2300 - 38 * 60);
  expect(csv.text).toContain(' viewed ');
  const { entries } = await asOwner()(listAudit, { query: { action: ['event.exported'] } });
  expect(entries.map(({ sentence }) => sentence.map(({ text }) => text).join('')).at(-1)).toBe(
    'exported events of the timeline as JSON lines, 2300 in all',
  );
});

test('a spreadsheet export contains no formula, for any client input', async () => {
  await server.as(acme.owner, acme.id)(recordEvents, {
    body: [
      {
        plugin_id: '=cmd|calc',
        event_type: 'other',
        message_id: randomUUID(),
        original_timestamp: new Date(start).toISOString(),
        tracking_source: '@sum(1)',
        identifiers: { what: 'paused' },
      },
    ],
  });
  const { text } = await download({});
  expect(text).not.toMatch(/"[=@]/);
});

test('views are private to their owner until shared; others use but cannot change them', async () => {
  const bob = await server.make.member(acme.id, 'rol_reviewer');
  const asBob = server.as(bob, acme.id);
  const view = await asOwner()(createView, { body: { name: ' Refunds ', query: 'kind:commit refund' } });
  expect(view).toMatchObject({ name: 'Refunds', shared: false, mine: true });
  expect(await asBob(listViews, {})).toEqual([]);
  const params = { viewId: view.id };
  await expect(asBob(updateView, { params, body: { name: 'Mine' } })).rejects.toMatchObject({ status: 404 });
  await asOwner()(updateView, { params, body: { shared: true } });
  expect(await asBob(listViews, {})).toMatchObject([{ name: 'Refunds', mine: false, shared: true }]);
  await expect(asBob(updateView, { params, body: { name: 'Mine' } })).rejects.toMatchObject({ status: 403 });
  await expect(asBob(deleteView, { params })).rejects.toMatchObject({ status: 403 });
  await expect(asOwner()(createView, { body: { name: 'REFUNDS', query: '' } })).rejects.toMatchObject({ status: 409 });
  expect(await asBob(createView, { body: { name: 'Refunds', query: '', shared: true } })).toMatchObject({ mine: true });
  const others = await asOwner()(listViews, {});
  expect(others.map(({ mine }) => mine)).toEqual([true, false]);
  // An Account Owner can delete shared views of others.
  await asOwner()(deleteView, { params: { viewId: others[1]?.id ?? '' } });
  await asOwner()(updateView, { params, body: { shared: false } });
  await asOwner()(deleteView, { params });
  expect(await asOwner()(listViews, {})).toEqual([]);
  const { entries } = await asOwner()(listAudit, { query: { subjectKind: ['view'] } });
  expect(entries.map(({ action }) => action)).toEqual(['view.unshared', 'view.deleted', 'view.shared', 'view.shared']);
});

test('views of each list are separate, and only those of events have a context and the query language', async () => {
  const query = 'severity=high&columns=severity,assignee';
  const view = await asOwner()(createView, { body: { list: 'findings', name: 'High', query } });
  expect(view).toMatchObject({ list: 'findings', query, context: null });
  await asOwner()(createView, { body: { list: 'tools', name: 'High', query: '' } });
  const listed = await asOwner()(listViews, { query: { list: 'findings' } });
  expect(listed.map(({ id }) => id)).toEqual([view.id]);
  expect((await asOwner()(listViews, {})).map(({ id }) => id)).not.toContain(view.id);
  const context = randomUUID();
  const chart = { kind: 'lines', by: 'repo', top: 5, compare: true } as const;
  const params = { viewId: view.id };
  for (const refused of [
    asOwner()(createView, { body: { list: 'changes', name: 'With context', query: '', context } }),
    asOwner()(updateView, { params, body: { context } }),
    asOwner()(updateView, { params, body: { chart } }),
  ]) {
    await expect(refused).rejects.toMatchObject({ status: 400 });
  }
  await expect(asOwner()(createView, { body: { list: 'findings', name: 'HIGH', query: '' } })).rejects.toMatchObject({
    status: 409,
  });
  await asOwner()(updateView, { params, body: { query: 'severity=low' } });
  expect((await asOwner()(listViews, { query: { list: 'findings' } }))[0]?.query).toBe('severity=low');
  await asOwner()(deleteView, { params });
});

test('a view of events keeps its chart until it is removed', async () => {
  const chart = { kind: 'bars', by: 'actor', top: 10, compare: false } as const;
  const view = await asOwner()(createView, { body: { name: 'By person', query: 'kind:commit', chart } });
  expect(view.chart).toEqual(chart);
  const params = { viewId: view.id };
  expect((await asOwner()(updateView, { params, body: { name: 'Commits' } })).chart).toEqual(chart);
  expect((await asOwner()(updateView, { params, body: { chart: null } })).chart).toBeNull();
  const invalid = { ...chart, by: 'sha' as 'actor' };
  await expect(asOwner()(updateView, { params, body: { chart: invalid } })).rejects.toMatchObject({ status: 400 });
});

test('limits a person to 200 views and hides those of another organization', async () => {
  const view = await asOwner()(createView, { body: { name: 'First', query: '', shared: true } });
  const other = await server.make.organization();
  const asOther = server.as(other.owner, other.id);
  expect(await asOther(listViews, {})).toEqual([]);
  await expect(asOther(deleteView, { params: { viewId: view.id } })).rejects.toMatchObject({ status: 404 });
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .insertInto('saved_view')
      .values(
        Array.from({ length: 199 }, (_, place) => ({
          org_id: acme.id,
          id: randomUUID(),
          account_id: acme.owner.id,
          name: `View ${place}`,
          query: '',
          shared: false,
        })),
      )
      .execute(),
  );
  await expect(asOwner()(createView, { body: { name: 'One more', query: '' } })).rejects.toMatchObject({ status: 409 });
});
