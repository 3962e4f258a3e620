import { randomUUID } from 'node:crypto';
import { type GroupField, groupFields } from '@sightline/contract/timeline/event-charts.ts';
import {
  countWeekHours,
  type EventGroups,
  exportEventChart,
  groupEvents,
} from '@sightline/contract/timeline/event-groups.ts';
import { type Parameter, recordEvents } from '@sightline/contract/timeline/events.ts';
import { getHistogram } from '@sightline/contract/timeline/explore.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { appendFacts } from '../events/commands.ts';
import { withDenseHours } from '../events/dense.fixture.ts';
import { eventJobs } from '../events/jobs.ts';
import type { NewEvent } from '../events/new-event.ts';

let server: TestServer;
let acme: TestOrganization;
let contributor: TestAccount;
/** The expected values of each event. */
interface EventFacts {
  at: number;
  values: Partial<Record<GroupField, string[]>>;
}
const counted: EventFacts[] = [];
const start = Date.UTC(2026, 9, 5, 0);
const hour = 3_600_000;
const persons: string[] = [];
const repositories: { id: string; name: string }[] = [];

beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization('Acme');
  contributor = await server.make.member(acme.id, 'rol_contributor');
  for (const name of ['api', 'web', 'ops'])
    repositories.push({ id: await createTestRepository(server, acme, name), name: `acme/${name}` });
  persons.push(
    ...(await server.services.database.withOrg(acme.id, (tx) =>
      server.services.people.resolve(
        tx,
        acme.id,
        ['ada', 'grace', 'linus', 'ken'].map((login) => ({
          names: [{ kind: 'github', value: login }],
          display: `${login} Person`,
          picture: null,
          source: 'test',
        })),
      ),
    )),
  );
  await write(Array.from({ length: 150 }, (_, n) => n));
  await index();
  // The rest is still pending.
  await write(Array.from({ length: 150 }, (_, n) => n + 150));
});
afterAll(() => server.close());

const index = async () => {
  for (const job of eventJobs(server.services)) if (job.name === 'events.index') await job.handle({ orgId: acme.id });
};
const param = (kind: Parameter['kind'], ident: string, display = ident): Parameter => ({ kind, display, ident });

const logins = ['ada', 'grace', 'linus', 'ken'];
const nowAndThen = <Value>(isPresent: boolean, ...values: Value[]): Value[] => (isPresent ? values : []);

/** The values of event `n`, which repeat with different periods. */
function valuesOf(n: number) {
  const kinds = ['commit', 'pull_request', 'tool'] as const;
  const kind = kinds[n % 3] ?? 'tool';
  return {
    kind,
    person: n % 5 === 4 ? undefined : n % 5,
    repository: n % 7 < 3 ? repositories[n % 7] : undefined,
    branches: nowAndThen(n % 2 === 0, `Feature/${n % 8}`),
    tools: nowAndThen(kind === 'tool', param('tool', 'claude-code', 'Claude Code')),
    status: nowAndThen(kind === 'pull_request', 'merged'),
    isByAgent: kind === 'commit' && n % 4 === 0,
    exts: n % 9 === 0 ? ['ts', 'md'] : nowAndThen(n % 9 === 1, 'ts'),
  };
}

/** Writes events 20 minutes apart, over 100 hours. */
async function write(numbers: readonly number[]): Promise<void> {
  const events = numbers.map((n): NewEvent => {
    const at = start + n * (hour / 3);
    const { kind, person, repository, branches, tools, status, isByAgent, exts } = valuesOf(n);
    counted.push({
      at,
      values: {
        kind: [kind],
        source: ['test'],
        actor: nowAndThen(person !== undefined, logins[person ?? 0] ?? ''),
        repo: nowAndThen(repository !== undefined, repository?.name ?? ''),
        branch: branches.map((branch) => branch.toLowerCase()),
        tool: tools.map(({ ident }) => ident),
        agent: nowAndThen(isByAgent, 'claude'),
        status,
        ext: exts,
      },
    });
    return {
      id: newId(),
      kind,
      asOf: new Date(at).toISOString(),
      actor: persons[person ?? -1] ?? null,
      repositoryId: repository?.id ?? null,
      pullRequest: null,
      source: 'test',
      summary: {
        phrase: '{0}',
        parameters: [param('text', '', `word${n % 4}`), ...branches.map((branch) => param('branch', branch)), ...tools],
      },
      detail: [],
      words: '',
      fields: {
        file: exts.map((ext) => `a.${ext}`),
        status,
        ...(isByAgent && { agent: ['claude', 'claude-code'] }),
      },
    };
  });
  await server.services.database.withOrg(acme.id, (tx) => appendFacts(server.services, tx, acme.id, events));
}

const range = 'after:2026-10-06T00:00:00Z before:2026-10-08T00:00:00Z';
const inRange = ({ at }: EventFacts, days = 0) => at >= Date.UTC(2026, 9, 6 - days) && at < Date.UTC(2026, 9, 8 - days);

const groups = (
  body: { query?: string; by: GroupField; top?: number; compare?: boolean; offset?: number },
  who: TestAccount = acme.owner,
): Promise<EventGroups> => server.as(who, acme.id)(groupEvents, { body });

/** Counts by value, largest first, with equal counts in any order. */
function naive(events: readonly EventFacts[], by: GroupField): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { values } of events)
    for (const value of values[by] ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

describe.each([
  ['usual', (count: () => Promise<EventGroups>) => count()],
  ['dense', (count: () => Promise<EventGroups>) => withDenseHours(count)],
])('groups of %s hours equal a naive count', (_hours, inHours) => {
  test.each(groupFields)('by %s', async (by) => {
    const result = await inHours(() => groups({ query: range, by, top: 20, compare: true }));
    const [now, before] = [counted.filter((one) => inRange(one)), counted.filter((one) => inRange(one, 2))];
    const expected = naive(now, by);
    expect(Object.fromEntries(result.groups.map(({ value, count }) => [value, count]))).toEqual(
      Object.fromEntries(expected),
    );
    const sorted = result.groups.map(({ count }) => count);
    expect(sorted).toEqual(sorted.toSorted((one, other) => other - one));
    expect(result.total).toBe(now.length);
    expect(result.without.count).toBe(now.filter(({ values }) => (values[by] ?? []).length === 0).length);
    expect(result.other).toMatchObject({ values: 0, count: 0 });
    expect(result.sample).toBeNull();
    expect(result.previous).toEqual({
      from: '2026-10-04T00:00:00.000Z',
      to: '2026-10-06T00:00:00.000Z',
      total: before.length,
    });
    const previous = naive(before, by);
    for (const { value, previous: earlier } of result.groups)
      expect([value, earlier?.count]).toEqual([value, previous.get(value ?? '') ?? 0]);
    // Each interval, and all intervals together.
    expect(result.interval).toBe(3600);
    for (const group of result.groups) {
      expect(group.counts.reduce((sum, n) => sum + n, 0)).toBe(group.count);
      const of = now.filter(({ values }) => values[by]?.includes(group.value ?? ''));
      const perHour = group.counts.map(
        (_, place) => of.filter(({ at }) => Math.floor((at - Date.parse(result.start)) / hour) === place).length,
      );
      expect(group.counts).toEqual(perHour);
    }
  });
});

test('limits the number of groups and adds up the others', async () => {
  const all = await groups({ query: range, by: 'branch', top: 20 });
  const two = await groups({ query: range, by: 'branch', top: 2 });
  expect(two.groups).toEqual(all.groups.slice(0, 2));
  expect(two.other.values).toBe(all.groups.length - 2);
  expect(two.other.count).toBe(all.groups.slice(2).reduce((sum, { count }) => sum + count, 0));
  const exts = await groups({ query: range, by: 'ext', top: 1 });
  expect(exts.groups[0]?.value).toBe('ts');
  // An event with both extensions is in both groups.
  expect(exts.other.count).toBe(counted.filter((one) => inRange(one) && one.values.ext?.includes('md')).length);
});

test('combines with conditions, and each group is found by its value', async () => {
  const query = `${range} word1 -kind:tool`;
  const matching = counted.filter((one, n) => inRange(one) && n % 4 === 1 && n % 3 !== 2);
  for (const by of ['kind', 'actor', 'repo', 'branch', 'status'] as const) {
    const result = await groups({ query, by, top: 20 });
    expect([by, result.total]).toEqual([by, matching.length]);
    const [first] = result.groups;
    if (!first) continue;
    const narrowed = await groups({ query: `${query} ${by}:"${first.value}"`, by });
    expect([by, narrowed.total]).toEqual([by, first.count]);
  }
});

test('shows people by login with their name, merged persons as one, and tools and agents under one name', async () => {
  const [actor] = (await groups({ query: 'actor:ada', by: 'actor' })).groups;
  expect(actor).toMatchObject({ value: 'ada', label: 'ada Person' });
  expect((await groups({ by: 'tool' })).groups).toMatchObject([{ value: 'claude-code', label: 'Claude Code' }]);
  expect((await groups({ by: 'agent' })).groups).toMatchObject([{ value: 'claude' }]);
  expect((await groups({ by: 'branch', query: 'branch:feature/0' })).groups).toMatchObject([{ label: 'Feature/0' }]);
});

test('compares only queries with a start', async () => {
  expect((await groups({ by: 'kind', compare: true })).previous).toBeNull();
  expect((await groups({ by: 'kind', compare: true, query: 'on:2026-10-06 OR word1' })).previous).toBeNull();
  const { from, to, previous } = await groups({ by: 'kind', compare: true, query: 'after:2026-10-06T00:00:00Z' });
  expect(Date.parse(to)).toBeGreaterThan(Date.now() - 60_000);
  expect(Date.parse(from) - Date.parse(previous?.from ?? '')).toBe(Date.parse(to) - Date.parse(from));
  expect(previous?.to).toBe(from);
});

test('counts hours of the week in the time zone of the request, from hourly sums and from events', async () => {
  for (const [query, holds] of [
    ['', () => true],
    ['branch:feature/*', ({ values }: EventFacts) => (values.branch ?? []).length > 0],
  ] as const) {
    for (const offset of [0, 120, -330]) {
      const { hours, total } = await server.as(acme.owner, acme.id)(countWeekHours, { body: { query, offset } });
      const expected = Array.from({ length: 168 }, () => 0);
      for (const event of counted.filter(holds)) {
        const local = new Date(event.at + offset * 60_000);
        const place = ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours();
        expected[place] = (expected[place] ?? 0) + 1;
      }
      expect(hours).toEqual(expected);
      expect(total).toBe(hours.reduce((sum, n) => sum + n, 0));
      const at = hours.findIndex((n) => n > 0);
      const day = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'][Math.floor(at / 24)];
      const narrowed = await server.as(acme.owner, acme.id)(countWeekHours, {
        body: { query: `${query} weekday:${day} hour:${at % 24}`, offset },
      });
      expect(narrowed.total).toBe(hours[at]);
    }
  }
  const body = { query: range, compare: true };
  const { previous } = await server.as(acme.owner, acme.id)(countWeekHours, { body });
  expect(previous?.total).toBe(counted.filter((one) => inRange(one, 2)).length);
});

test('exports the numbers of each chart as CSV', async () => {
  const token = await server.token(acme.owner, acme.id);
  const rowsOf = async (body: object) => {
    const answer = await fetch(`${server.url}/api${exportEventChart.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: range, by: 'branch', top: 2, compare: true, ...body }),
    });
    expect(answer.headers.get('content-disposition')).toMatch(/filename="event-chart-[^"]+\.csv"$/);
    const lines = (await answer.text()).trimEnd().split('\r\n');
    return lines.map((line) => line.slice(line.indexOf('"') + 1, -1).split('","'));
  };
  const shown = await groups({ query: range, by: 'branch', top: 2, compare: true });
  expect(shown.other.values).toBe(2);
  const labels = [...shown.groups.map(({ label }) => label), '2 others', 'without'];
  const all = [...shown.groups, shown.other, shown.without];
  const texts = (numbers: readonly number[]) => numbers.map(String);
  expect(await rowsOf({ kind: 'bars' })).toEqual([
    ['branch', 'events', 'previous period'],
    ...all.map(({ count, previous }, index) => [labels[index] ?? '', ...texts([count, previous?.count ?? -1])]),
  ]);
  const lines = await rowsOf({ kind: 'lines' });
  expect(lines[0]).toEqual(['from', ...labels.flatMap((label) => [label, `${label}, previous period`])]);
  expect(lines.slice(1)).toEqual(
    shown.other.counts.map((_, place) => [
      new Date(Date.parse(shown.start) + place * shown.interval * 1000).toISOString(),
      ...texts(all.flatMap(({ counts, previous }) => [counts[place] ?? -1, previous?.counts[place] ?? -1])),
    ]),
  );
  const week = await server.as(acme.owner, acme.id)(countWeekHours, { body: { query: range } });
  const hours = await rowsOf({ kind: 'hours', compare: false });
  expect(hours[0]).toEqual(['hour', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']);
  expect(hours.slice(1)).toEqual(
    Array.from({ length: 24 }, (_, at) => [String(at), ...texts(week.hours.filter((_, place) => place % 24 === at))]),
  );
});

test('a member limited to own events gets only their groups', async () => {
  const result = await groups({ by: 'actor' }, contributor);
  expect(result).toMatchObject({ total: 0, groups: [], without: { count: 0 } });
});

test('reports an invalid query, a foreign context and too many groups', async () => {
  await expect(groups({ by: 'kind', query: 'sevrity:high' })).rejects.toMatchObject({
    status: 400,
    refusal: { code: 'query_invalid', query: { start: 0, end: 7 } },
  });
  await expect(groups({ by: 'kind', top: 21 })).rejects.toMatchObject({ status: 400 });
  await expect(groups({ by: 'sha' as GroupField })).rejects.toMatchObject({ status: 400 });
  await expect(
    server.as(acme.owner, acme.id)(groupEvents, { body: { by: 'kind', context: randomUUID() } }),
  ).rejects.toMatchObject({ status: 404 });
});

test('estimates groups of more events than can be counted, and says so', { tags: ['full'] }, async () => {
  const many = await server.make.organization('Many');
  const total = 12_000;
  const minute = 60_000;
  for (let first = 0; first < total; first += 500) {
    await server.as(many.owner, many.id)(recordEvents, {
      body: Array.from({ length: 500 }, (_, index) => ({
        plugin_id: 'browser',
        event_type: 'web_page_view',
        message_id: randomUUID(),
        original_timestamp: new Date(start + (first + index) * minute).toISOString(),
        content_uri: (first + index) % 4 === 0 ? 'https://rare.example/' : 'https://usual.example/',
      })),
    });
  }
  const asOwner = server.as(many.owner, many.id);
  const isNear = (estimate: number | undefined, exact: number) =>
    expect(Math.abs((estimate ?? 0) - exact) / exact).toBeLessThan(0.05);
  for (const [by, expected] of [
    ['site', { 'usual.example': 9000, 'rare.example': 3000 }],
    ['actor', { [many.owner.email]: total }],
  ] as const) {
    const result = await asOwner(groupEvents, { body: { by, query: 'kind:web browser:* OR kind:web' } });
    expect(result.sample?.share).toBeLessThan(1);
    expect(result.sample?.events).toBeLessThan(total);
    isNear(result.total, total);
    expect(result.groups.map(({ value }) => value)).toEqual(Object.keys(expected));
    for (const { value, count } of result.groups) isNear(count, expected[value as keyof typeof expected] ?? 0);
  }
  // Hourly sums are exact.
  const kinds = await asOwner(groupEvents, { body: { by: 'kind' } });
  expect(kinds).toMatchObject({ total, sample: null, groups: [{ value: 'web_page_view', count: total }] });
  const histogram = await asOwner(getHistogram, { body: { query: 'site:*' } });
  expect(histogram.sample?.share).toBeLessThan(1);
  isNear(histogram.total, total);
  expect(await asOwner(getHistogram, { body: { query: '' } })).toMatchObject({ total, sample: null });
  // Few of many are exact, along the index of the kind and without it.
  for (const query of [
    'kind:web site:rare.example after:2026-10-05 before:2026-10-06',
    'site:rare.example before:2026-10-06',
  ])
    expect(await asOwner(getHistogram, { body: { query } })).toMatchObject({ total: 360, sample: null });
  await withDenseHours(async () => {
    const two = { query: 'site:usual.example,rare.example has:site', by: 'site' } as const;
    const dense = await asOwner(groupEvents, { body: two });
    expect(dense.sample?.share).toBeLessThan(1);
    isNear(dense.total, total);
    isNear(dense.groups[0]?.count, 9000);
    const few = { query: 'site:rare.example before:2026-10-06' };
    expect(await asOwner(getHistogram, { body: few })).toMatchObject({ total: 360, sample: null });
  });
  const { hours, sample } = await asOwner(countWeekHours, { body: { query: 'site:*' } });
  expect(sample?.share).toBeLessThan(1);
  isNear(
    hours.reduce((sum, n) => sum + n, 0),
    total,
  );
});
