// @vitest-environment happy-dom
import { ApiError } from '@sightline/contract/core/client.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import {
  type Event,
  type ExploreRequest,
  type ExploreResponse,
  getContext,
  getEvent,
  queryEvents,
} from '@sightline/contract/timeline/events.ts';
import { suggestValues } from '@sightline/contract/timeline/explore.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitForFlags } from '#lib/flags.ts';
import { clearSession } from '#lib/session.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ExplorePage } from './ExplorePage.tsx';

const wire = vi.hoisted(() => ({ say: undefined as ((name: string, notice: unknown) => void) | undefined }));
vi.mock('socket.io-client', () => ({
  io: () => ({
    on: () => undefined,
    onAny: (hear: (name: string, notice: unknown) => void) => {
      wire.say = hear;
    },
    disconnect: () => undefined,
  }),
}));

const uuid = (number: number) => `018f2a52-0000-7000-8000-${String(number).padStart(12, '0')}`;
const contextId = uuid(900);

/** Event n happened n minutes after ten o'clock; larger numbers are newer. */
const event = (number: number): Event => ({
  uuid: uuid(number),
  kind: 'commit',
  type: 'commit',
  as_of: `2026-11-20T10:${String(number).padStart(2, '0')}:00Z`,
  receivedAt: '2026-11-20T12:00:00Z',
  source: 'github',
  summary: {
    phrase: '{0} committed {1} in {2} {3}',
    parameters: [
      { kind: 'user', display: 'Ada', ident: 'ada' },
      { kind: 'sha', display: `abc${number}`, ident: `abc${number}` },
      { kind: 'repository', display: 'acme/api', ident: 'acme/api', icon: 'github' },
      { kind: 'text', display: `Change ${number}`, ident: '' },
    ],
  },
});

let stored: Event[];
let sent: ExploreRequest[];
let people: ExploreResponse['people'];

beforeEach(() => {
  signIn('rol_owner');
  stored = [event(3), event(2), event(1)];
  sent = [];
  people = {};
  fakeApi.answer(suggestValues, () => []);
  fakeApi.answer(queryEvents, ({ body }) => answer(body as ExploreRequest));
  fakeApi.answer(getEvent, ({ params }) => ({
    ...(stored.find((one) => one.uuid === params.eventId) ?? event(1)),
    detail: { parameters: [{ label: 'Message', parameter: { kind: 'text' as const, display: 'In full', ident: '' } }] },
  }));
});

/** Returns pages like the server, with at most two events each. */
function answer(request: ExploreRequest): ExploreResponse {
  sent.push(request);
  const { direction, cursors } = request.pagination;
  const from = cursors[direction];
  const keyOf = (one: Event) => `${one.as_of}_${one.uuid}`;
  const beyond = stored.filter((one) => !from || (direction === 'older' ? keyOf(one) < from : keyOf(one) > from));
  const events = direction === 'older' ? beyond.slice(0, 2) : beyond.slice(-2);
  const [newest] = events;
  const oldest = events.at(-1);
  return {
    request: { context: null, query: request.query, direction },
    events,
    people,
    cursors: { older: oldest ? keyOf(oldest) : (from ?? null), newer: newest ? keyOf(newest) : (from ?? null) },
    reachedStart: direction === 'newer' ? events.length === beyond.length : from === undefined,
    reachedEnd: direction === 'older' && events.length === beyond.length,
    dataUpdatedAt: '2026-11-20T12:00:00Z',
    kept: { months: 13, clipboardDays: 30 },
    archived: null,
  };
}

const open = (address = '/explore') => visitPage('/explore', ExplorePage, address);
const changes = () => screen.getAllByText(/^“Change/).map((quote) => quote.textContent);

test('lists events newest first by day and loads the rest', { tags: 'full' }, async () => {
  open();
  expect(await screen.findByText('“Change 3”')).toBeTruthy();
  expect(screen.getByRole('heading', { name: /20 November 2026/ })).toBeTruthy();
  if (screen.queryByText('“Change 1”') === null) {
    await userEvent.click(screen.getByRole('button', { name: 'Load older events' }));
  }
  expect(
    await screen.findByText(
      /Start of the timeline\. Retention: commits and pull requests unlimited, other events 13 months/,
    ),
  ).toBeTruthy();
  expect(changes()).toEqual(['“Change 3”', '“Change 2”', '“Change 1”']);
});

test('sends no more requests after both ends are reached', async () => {
  open();
  await screen.findByText('“Change 3”');
  const older = screen.queryByRole('button', { name: 'Load older events' });
  if (older) await userEvent.click(older);
  await screen.findByText(/Start of the timeline/);
  const before = sent.length;
  fireEvent.scroll(window);
  act(() => wire.say?.('orgEvents', { count: 1 }));
  // The page requests newer events once, reaches the start, and sends no further request.
  await waitFor(() => expect(sent.slice(before).map(({ pagination }) => pagination.direction)).toEqual(['newer']));
  fireEvent.scroll(window);
  await screen.findByText('“Change 1”');
  expect(sent).toHaveLength(before + 1);
  expect(screen.queryByRole('button', { name: 'Load older events' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Load more events/ })).toBeNull();
});

test('requests the query in the address', async () => {
  open(`/explore?query=kind:commit+refund&context=${contextId}`);
  fakeApi.answer(getContext, () => ({ contextId, filters: [] }));
  await waitFor(() => expect(sent.length).toBeGreaterThan(0));
  expect(sent[0]).toMatchObject({
    context: contextId,
    query: 'kind:commit refund',
    pagination: { events: 200, direction: 'older' },
  });
});

test('merges filters in the address into the query', async () => {
  const { search } = open('/explore?query=kind:commit&search=make+refunds');
  await waitFor(() => expect(search()).toEqual({ query: 'kind:commit "make refunds"' }));
});

test('filters by a person on click and excludes with Alt', { tags: 'full' }, async () => {
  const { search } = open();
  const [person] = await screen.findAllByRole('button', { name: /Ada/ });
  if (!person) throw new Error('no person link found');
  const user = userEvent.setup();
  await user.keyboard('{Alt>}');
  await user.click(person);
  await user.keyboard('{/Alt}');
  await waitFor(() => expect(search()).toEqual({ query: '-actor:ada' }));
  await userEvent.click((await screen.findAllByRole('button', { name: 'Ada' }))[0] as HTMLElement);
  await waitFor(() => expect(search()).toEqual({ query: 'actor:ada' }));
});

test('runs a query while it is typed, explains what it cannot read, and keeps the last result', {
  tags: 'full',
}, async () => {
  const { search } = open();
  const input = await screen.findByRole('combobox', { name: 'Filter events' });
  await userEvent.type(input, 'kind:commit');
  await waitFor(() => expect(search()).toEqual({ query: 'kind:commit' }));
  await userEvent.type(input, ' sevrity:high');
  expect(await screen.findByText(/did you mean “severity”/)).toBeTruthy();
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toContain('Character 13');
  expect(search()).toEqual({ query: 'kind:commit' });
  expect(changes()).toHaveLength(3);
});

test('explains a query that no suggestion completes while it is typed', {
  tags: 'full',
}, async () => {
  open();
  await screen.findByText('“Change 3”');
  const input = screen.getByRole('combobox', { name: 'Filter events' });
  await userEvent.type(input, 'foo bar(');
  expect(await screen.findByText('The query is incomplete at the end.', { exact: false })).toBeTruthy();
  expect(screen.getByText('Until then all events are shown.', { exact: false })).toBeTruthy();
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

test('reports an incomplete query only after Enter', { tags: 'full' }, async () => {
  open();
  await screen.findByText('“Change 3”');
  const input = screen.getByRole('combobox', { name: 'Filter events' });
  await userEvent.type(input, 'kind:');
  expect(await screen.findByRole('option', { name: /commit/ })).toBeTruthy();
  expect(input.getAttribute('aria-invalid')).toBeNull();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('kind needs a value.', { exact: false })).toBeTruthy();
});

test('reports an unknown context and shows no events', { tags: 'full' }, async () => {
  open('/explore?context=nothing-of-ours');
  expect(await screen.findByText('Link not available')).toBeTruthy();
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Show all events' }));
  expect(await screen.findByText('“Change 3”')).toBeTruthy();
});

test('shows one person under one name regardless of the event', async () => {
  const called = (number: number, ident: string, display: string): Event => {
    const { summary, ...rest } = event(number);
    const [, ...others] = summary.parameters;
    return { ...rest, summary: { ...summary, parameters: [{ kind: 'user', display, ident }, ...others] } };
  };
  const ada = { id: uuid(800), name: 'Ada Byron', picture: 'https://code.example/ada.png' };
  people = { 'ada@example.org': ada, 'ada-b': ada };
  stored = [called(3, 'ada-b', 'ada-b'), called(2, 'Ada@example.org', 'Ada B.')];
  open();
  const faces = await screen.findAllByTitle('Filter by Ada Byron (Alt: exclude it)');
  expect(faces).toHaveLength(2);
  await waitFor(() =>
    expect(faces.map((face) => face.querySelector('img')?.getAttribute('src'))).toEqual([ada.picture, ada.picture]),
  );
  await userEvent.click(faces[0] as HTMLElement);
  await waitFor(() => expect(sent.at(-1)?.query).toBe('actor:ada-b'));
});

test('completes qualifiers and values by keyboard', async () => {
  fakeApi.answer(suggestValues, () => [{ value: 'acme/api' }, { value: 'acme/web' }]);
  const { search } = open();
  const input = await screen.findByRole('combobox', { name: 'Filter events' });
  await userEvent.type(input, 'rep');
  expect(await screen.findByRole('option', { name: /^repo:/ })).toBeTruthy();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect((input as HTMLInputElement).value).toBe('repo:');
  expect(await screen.findByRole('option', { name: 'acme/web' })).toBeTruthy();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}{Enter}');
  await waitFor(() => expect(search()).toEqual({ query: 'repo:acme/web' }));
});

test('shows how fresh the data is and the severity of findings of a scan', async () => {
  const [first = event(3)] = stored;
  const severities = { critical: 1, high: 0, medium: 2, low: 4, info: 0 };
  const found = { kind: 'number' as const, display: '7 open findings', ident: '7', data: { severities } };
  stored = [
    { ...first, kind: 'vulnerability', summary: { phrase: 'Semgrep reported {0}', parameters: [found] } },
    event(2),
  ];
  open();
  const row = (await screen.findByText('7 open findings')).closest('li');
  expect(row?.textContent).toContain('1 Critical');
  expect(row?.textContent).toContain('2 Medium');
  expect(row?.textContent).not.toMatch(/High|Low/);
  expect(screen.getByText('“Change 2”').closest('li')?.textContent).not.toContain('Critical');
  expect(screen.getByText(/^As of \d\d:\d\d:\d\d$/).getAttribute('datetime')).toBe('2026-11-20T12:00:00Z');
});

test('copies the query in a form that can be pasted anywhere', async () => {
  const user = userEvent.setup();
  open('/explore?query=kind:commit+repo:acme/api');
  await user.click(await screen.findByRole('button', { name: 'Copy the query' }));
  expect(await navigator.clipboard.readText()).toBe('kind:commit repo:acme/api');
  expect(await screen.findByRole('button', { name: 'Copied!' })).toBeTruthy();
});

test('shows conditions as removable chips', { tags: 'full' }, async () => {
  const { search } = open('/explore?query=kind:commit+-actor:bob+refund');
  const parts = await screen.findByRole('list', { name: 'Parts of this query' });
  expect(
    within(parts)
      .getAllByRole('listitem')
      .map((part) => part.textContent),
  ).toEqual(['kind:commit', '-actor:bob', 'refund']);
  await userEvent.click(within(parts).getByRole('button', { name: 'Remove -actor:bob' }));
  await waitFor(() => expect(search()).toEqual({ query: 'kind:commit refund' }));
  await userEvent.click(screen.getByRole('button', { name: 'Clear the query' }));
  await waitFor(() => expect(search()).toEqual({}));
});

test('expands a row to all recorded details', { tags: 'full' }, async () => {
  open();
  await userEvent.click((await screen.findAllByRole('button', { name: 'Show details' }))[0] as HTMLElement);
  expect(await screen.findByText('In full')).toBeTruthy();
  expect(screen.getByText('Received')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Hide details' }).getAttribute('aria-expanded')).toBe('true');
});

test('names the context and removes it', { tags: 'full' }, async () => {
  fakeApi.answer(getContext, () => ({
    contextId,
    filters: [{ within: 'pull_request' as const, field: 'number', predicate: 'is' as const, arguments: ['42'] }],
  }));
  const { search } = open(`/explore?context=${contextId}`);
  const banner = await screen.findByRole('region', { name: 'Context' });
  expect(await within(banner).findByText('42')).toBeTruthy();
  await userEvent.click(within(banner).getByRole('button', { name: 'Remove context' }));
  await waitFor(() => expect(search()).toEqual({}));
});

test('expands a linked event among the events around it', async () => {
  const { search } = open(`/explore?event=${uuid(2)}`);
  expect(await screen.findByText('In full')).toBeTruthy();
  expect(changes()).toEqual(['“Change 3”', '“Change 2”', '“Change 1”']);
  await userEvent.click(screen.getByRole('button', { name: 'Show the latest' }));
  await waitFor(() => expect(search()).toEqual({}));
});

test('reports a link to an unknown event and links to the timeline', { tags: 'full' }, async () => {
  fakeApi.refuse(getEvent, 404, 'not_found', 'Event not found.');
  const { search } = open(`/explore?event=${uuid(77)}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Show all events' }));
  await waitFor(() => expect(search()).toEqual({}));
});

test('says that the query time is used up and what to do, and loads the events afterwards', async () => {
  const usedUp = 'Your queries used 20 seconds of database time within a minute, which is the limit.';
  fakeApi.refuse(queryEvents, 429, 'rate_limited', usedUp);
  open('/explore?query=camt+login');
  expect(await screen.findByText('Limit reached')).toBeTruthy();
  expect(screen.getByText(new RegExp(usedUp))).toBeTruthy();
  fakeApi.answer(queryEvents, ({ body }) => answer(body as ExploreRequest));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('“Change 3”')).toBeTruthy();
});

test('loads new events immediately at the top of the list', { tags: 'full' }, async () => {
  open();
  await screen.findByText('“Change 3”');
  stored = [event(4), ...stored];
  await waitFor(() => expect(wire.say).toBeDefined());
  act(() => wire.say?.('orgEvents', { count: 1 }));
  expect(await screen.findByText('“Change 4”')).toBeTruthy();
  expect(changes()[0]).toBe('“Change 4”');
});

test('loads older events after newer ones if both are requested', async () => {
  stored = [4, 3, 2, 1].map(event);
  const { promise: newsCame, resolve: goOn } = Promise.withResolvers<void>();
  const unavailable = { code: 'unavailable', message: 'Not now.', requestId: 'req-1' } as const;
  fakeApi.answer(queryEvents, async ({ body }) => {
    const { direction } = (body as ExploreRequest).pagination;
    const page = answer(body as ExploreRequest);
    if (sent.length === 2) throw new ApiError(queryEvents.path, 503, unavailable);
    if (direction === 'newer') await newsCame;
    return page;
  });
  open();
  expect(await screen.findByText('Older events could not be loaded.')).toBeTruthy();
  // Three pages, requested one after the other.
  stored = [...[9, 8, 7, 6, 5].map(event), ...stored];
  act(() => wire.say?.('orgEvents', { count: 5 }));
  await waitFor(() => expect(sent.at(-1)?.pagination.direction).toBe('newer'));
  await userEvent.click(screen.getByRole('button', { name: 'Load older events' }));
  goOn();
  expect(await screen.findByText('“Change 1”')).toBeTruthy();
  await waitFor(() => expect(changes()).toHaveLength(9));
});

test('names conditions without matches and removes them', async () => {
  stored = [];
  const { search } = open('/explore?query=kind:commit+camt');
  expect(await screen.findByText('No events match')).toBeTruthy();
  const filters = screen.getByRole('list', { name: 'Filters in use' });
  expect(within(filters).getByText('camt')).toBeTruthy();
  const [, button] = screen.getAllByRole('button', { name: 'Clear the query' });
  await userEvent.click(button as HTMLElement);
  await waitFor(() => expect(search()).toEqual({}));
});

test('shows an organization without events which sources create events', async () => {
  stored = [];
  open();
  expect(await screen.findByText('No events yet')).toBeTruthy();
});

test.each([
  [-120, 'UTC+02:00'],
  [Number.NaN, 'UTC'],
])('with the browser %i minutes from UTC, starts with time zone %s', async (behind, zone) => {
  const clock = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(behind);
  try {
    open();
    const select = await screen.findByRole('combobox', { name: 'Timezone' });
    expect(select instanceof HTMLInputElement ? select.value : select.textContent).toContain(zone);
  } finally {
    clock.mockRestore();
  }
});

test('explains the purpose of the filter', async () => {
  open();
  expect((await screen.findByLabelText('Filter events')).getAttribute('placeholder')).toBe(
    'Filter events by querying the data...',
  );
});

test.each([
  [['release2'], null],
  [['release2', 'exploreDebuggingUi'], '2 events loaded, 1 duplicate'],
] as const)('with the flags %j, shows above the timeline: %s', async (names, words) => {
  fakeApi.answer(listFeatureFlags, () => togglesOf(...names));
  act(() => clearSession());
  signIn('rol_owner');
  stored = [event(2), event(2), event(1)];
  open();
  await screen.findByText('“Change 1”');
  expect(screen.getAllByText('“Change 2”')).toHaveLength(1);
  await waitForFlags();
  if (words === null) expect(screen.queryByText(/loaded, /)).toBeNull();
  else expect(await screen.findByText(words)).toBeTruthy();
});

describe('gives up requests after 30 s', () => {
  const never = () => new Promise<never>(() => undefined);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const expectText = (words: string | RegExp) =>
    vi.waitFor(() => expect(screen.getByText(words)).toBeTruthy(), { timeout: 20_000, interval: 1 });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('reports that the first events did not arrive and offers a retry', async () => {
    fakeApi.answer(queryEvents, never);
    open();
    await pass(29_000);
    expect(screen.queryByText('The events could not be loaded')).toBeNull();
    await pass(1_500);
    await expectText('The events could not be loaded');
    fakeApi.answer(queryEvents, ({ body }) => answer(body as ExploreRequest));
    fireEvent.click(screen.getByText('Try again'));
    await expectText('“Change 3”');
  });

  test('offers a retry for older events', async () => {
    let requestCount = 0;
    fakeApi.answer(queryEvents, ({ body }) => {
      requestCount += 1;
      return requestCount === 1 ? answer(body as ExploreRequest) : never();
    });
    open();
    await expectText('“Change 3”');
    if (requestCount === 1) fireEvent.click(screen.getByText('Load older events'));
    await vi.waitFor(() => expect(requestCount).toBe(2), { timeout: 20_000, interval: 1 });
    await pass(29_000);
    expect(requestCount).toBe(2);
    fakeApi.answer(queryEvents, ({ body }) => answer(body as ExploreRequest));
    await pass(1_500);
    const button = screen.queryByText('Load older events');
    if (button) fireEvent.click(button);
    await expectText('“Change 1”');
  });
});
