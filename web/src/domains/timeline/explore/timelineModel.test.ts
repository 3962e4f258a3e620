import type { Event } from '@sightline/contract/timeline/events.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelOf, type TimelineModel } from './timelineModel.ts';
import type { TimelinePage } from './timelinePages.ts';
import { type ExpandedRows, estimateRowHeight, rowsOf, type TimelineRow } from './timelineRows.ts';

const people = ['ada', 'mary'];
const base = Date.parse('2026-11-20T23:58:00Z');

/** Events of two people within a few minutes, newest first as in a response. */
const stories = fc
  .array(
    fc.record({ second: fc.nat(300), who: fc.constantFrom(...people), what: fc.constantFrom('opened', 'viewed') }),
    {
      maxLength: 60,
    },
  )
  .map((story) =>
    story
      .map(({ second, who, what }, index) => event(index, second, who, what))
      .toSorted((a, b) => Date.parse(b.as_of) - Date.parse(a.as_of) || (a.uuid < b.uuid ? 1 : -1)),
  );

function event(index: number, second: number, who: string, what: string): Event {
  const as_of = new Date(base + second * 1000).toISOString();
  return {
    uuid: `018f2a52-0000-7000-8000-${String(index).padStart(12, '0')}`,
    kind: 'webPageView',
    type: 'web_page_view',
    as_of,
    receivedAt: as_of,
    source: 'chrome',
    summary: {
      phrase: `{0} ${what} {1}`,
      parameters: [
        { kind: 'user', display: who, ident: who },
        { kind: 'text', display: String(index), ident: '' },
      ],
    },
  };
}

/** Splits the events into pages of this length. */
const paged = (events: readonly Event[], size: number): TimelinePage[] =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, index) => ({
    events: events.slice(index * size, (index + 1) * size),
    cursors: { older: null, newer: null },
    reachedStart: false,
    reachedEnd: false,
    kept: { months: 13, clipboardDays: 30 },
    archived: null,
    dataUpdatedAt: '2026-11-20T12:00:00Z',
  }));

const noneExpanded: ExpandedRows = { details: new Set(), groups: new Map() };
const everything = ({ windows }: TimelineModel): ExpandedRows => ({
  details: new Set(),
  groups: new Map(windows.flatMap(({ groups }) => groups.map(({ id, events }) => [id, events.length] as const))),
});
const eventsOf = (rows: readonly TimelineRow[]) =>
  rows.flatMap((row) => (row.type === 'event' ? [row.event.uuid] : []));
const idsOf = ({ windows }: TimelineModel) => windows.flatMap(({ groups }) => groups.map(({ id }) => id));
const uuidsOf = (events: readonly Event[]) => events.map(({ uuid }) => uuid).toSorted();

test('assigns each event to one group regardless of paging', () => {
  fc.assert(
    fc.property(stories, fc.integer({ min: 1, max: 20 }), (events, size) => {
      const model = modelOf(paged(events, size));
      expect(model).toEqual(modelOf(paged(events, 1000)));
      expect(model.events).toBe(events.length);
      expect(model.duplicates).toBe(0);
      const { rows, days } = rowsOf(model, everything(model), 0);
      expect(eventsOf(rows).toSorted()).toEqual(uuidsOf(events));
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(events.length);
    }),
  );
});

test('keeps the ID of a group while it grows at either end', () => {
  fc.assert(
    fc.property(stories, fc.nat(60), fc.nat(60), (events, one, other) => {
      const [from = 0, to = 0] = [one, other].toSorted((a, b) => a - b);
      const groupIds = idsOf(modelOf(paged(events, 7)));
      const part = idsOf(modelOf(paged(events.slice(from, to), 7)));
      expect(groupIds).toEqual(expect.arrayContaining(part));
      const partIds = new Set(part);
      expect(groupIds.filter((id) => partIds.has(id)).toSorted()).toEqual(part.toSorted());
    }),
  );
});

test('shows repeated events once and counts them as duplicates', () => {
  fc.assert(
    fc.property(stories, fc.integer({ min: 1, max: 9 }), (events, again) => {
      const pages = [...paged(events.slice(0, again), 100), ...paged(events, 100)];
      const model = modelOf(pages.filter((page) => page.events.length > 0));
      const apart = new Set(model.windows.flatMap(({ groups }) => groups.flatMap((group) => uuidsOf(group.events))));
      expect(apart.size).toBe(events.length);
      expect([model.events, model.duplicates]).toEqual([events.length, Math.min(again, events.length)]);
    }),
  );
});

test('collapses similar events behind the newest in steps of ten and keeps an expanded one visible', () => {
  const events = Array.from({ length: 25 }, (_, index) => event(index, 25 - index, 'ada', 'viewed'));
  const model = modelOf(paged(events, 10));
  const [id = ''] = idsOf(model);
  const shown = (opened: ExpandedRows) => eventsOf(rowsOf(model, opened, 0).rows).length;
  expect(shown(noneExpanded)).toBe(1);
  expect(shown({ details: new Set(), groups: new Map([[id, 10]]) })).toBe(11);
  expect(shown({ details: new Set([events[20]?.uuid ?? '']), groups: new Map() })).toBe(2);
  expect(rowsOf(model, noneExpanded, 0).rows.at(-1)).toMatchObject({ type: 'group', shown: 0 });
});

test('estimates an event at 48 px, and with its details at 176 px more after a gap of 8 px', () => {
  const { rows } = rowsOf(modelOf(paged([event(1, 0, 'ada', 'viewed')], 10)), noneExpanded, 0);
  expect(rows.map((row) => estimateRowHeight(row, noneExpanded))).toEqual([48]);
  expect(
    rows.map((row) =>
      estimateRowHeight(row, { ...noneExpanded, details: new Set([uuidsOf([event(1, 0, 'ada', 'viewed')])[0] ?? '']) }),
    ),
  ).toEqual([48 + 8 + 176]);
});

test('groups only similar events within 30 seconds', () => {
  const [ada = '', bob = ''] = people;
  const alike = [event(1, 0, ada, 'viewed'), event(2, 29, ada, 'viewed')];
  const apart = [event(3, 31, ada, 'viewed'), event(4, 10, bob, 'viewed'), event(5, 10, ada, 'opened')];
  const { windows } = modelOf(
    paged(
      [...alike, ...apart].toSorted((a, b) => (a.as_of < b.as_of ? 1 : -1)),
      10,
    ),
  );
  const groups = windows.flatMap(({ groups: some }) => some.map(({ events }) => uuidsOf(events)));
  expect(groups.toSorted()).toEqual([uuidsOf(alike), ...apart.map((one) => [one.uuid])].toSorted());
});

test('separates days by the chosen time zone', () => {
  const model = modelOf(paged([event(1, 150, 'ada', 'viewed'), event(2, 30, 'ada', 'viewed')], 10));
  expect(rowsOf(model, noneExpanded, 0).days.map(({ name }) => name)).toEqual([
    'Saturday, 21 November 2026',
    'Friday, 20 November 2026',
  ]);
  expect(rowsOf(model, noneExpanded, 330).days).toHaveLength(1);
});
