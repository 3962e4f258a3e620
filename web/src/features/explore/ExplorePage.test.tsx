// @vitest-environment happy-dom
import {
  type Event,
  type ExploreAnswer,
  type ExploreRequest,
  getContext,
  getEvent,
  queryEvents,
} from '@sightline/contract/events.ts';
import { listRepositories } from '@sightline/contract/repositories.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visit } from '#testing/visit.tsx';
import { ExplorePage } from './ExplorePage.tsx';

const wire = vi.hoisted(() => ({ say: undefined as ((name: string, news: unknown) => void) | undefined }));
vi.mock('socket.io-client', () => ({
  io: () => ({
    on: () => undefined,
    onAny: (hear: (name: string, news: unknown) => void) => {
      wire.say = hear;
    },
    disconnect: () => undefined,
  }),
}));

const uuid = (number: number) => `018f2a52-0000-7000-8000-${String(number).padStart(12, '0')}`;
const contextId = uuid(900);

/** Event number n happened n minutes after ten; the larger the newer. */
const event = (number: number): Event => ({
  uuid: uuid(number),
  kind: 'commit',
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
let asked: ExploreRequest[];

beforeEach(() => {
  signIn('rol_owner');
  stored = [event(3), event(2), event(1)];
  asked = [];
  fakeApi.answer(listRepositories, () => ({ rows: [], total: 0 }));
  fakeApi.answer(queryEvents, ({ body }) => answer(body as ExploreRequest));
  fakeApi.answer(getEvent, ({ params }) => ({
    ...(stored.find((one) => one.uuid === params.eventId) ?? event(1)),
    detail: { parameters: [{ label: 'Message', parameter: { kind: 'text' as const, display: 'In full', ident: '' } }] },
  }));
});

/** Pages as the server makes them, two events long at most. */
function answer(request: ExploreRequest): ExploreAnswer {
  asked.push(request);
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
    cursors: { older: oldest ? keyOf(oldest) : (from ?? null), newer: newest ? keyOf(newest) : (from ?? null) },
    reachedStart: direction === 'newer' ? events.length === beyond.length : from === undefined,
    reachedEnd: direction === 'older' && events.length === beyond.length,
    dataUpdatedAt: '2026-11-20T12:00:00Z',
  };
}

const open = (address = '/explore') => visit('/explore', ExplorePage, address);
const changes = () => screen.getAllByText(/^“Change/).map((quote) => quote.textContent);

test('lists the newest first, by day, and loads the rest', async () => {
  open();
  expect(await screen.findByText('“Change 3”')).toBeTruthy();
  expect(screen.getByRole('heading', { name: /20 November 2026/ })).toBeTruthy();
  if (screen.queryByText('“Change 1”') === null) {
    await userEvent.click(screen.getByRole('button', { name: 'Load older events' }));
  }
  expect(await screen.findByText('This is where the timeline begins.')).toBeTruthy();
  expect(changes()).toEqual(['“Change 3”', '“Change 2”', '“Change 1”']);
});

test('asks what the address asks', async () => {
  open(`/explore?kind=commit&repo=acme/api&actor=ada&pr=7&query=refund&context=${contextId}`);
  fakeApi.answer(getContext, () => ({ contextId, filters: [] }));
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  expect(asked[0]).toMatchObject({
    context: contextId,
    query: 'refund',
    filters: [
      { field: 'kind', arguments: ['commit'] },
      { field: 'fullName', arguments: ['acme/api'] },
      { field: 'login', arguments: ['ada'] },
      { field: 'number', arguments: ['7'] },
    ],
    pagination: { events: 200, direction: 'older' },
  });
});

test('a click on a person filters, with Alt it excludes', async () => {
  const { search } = open();
  const [person] = await screen.findAllByRole('button', { name: /Ada/ });
  if (!person) throw new Error('nobody to click');
  const user = userEvent.setup();
  await user.keyboard('{Alt>}');
  await user.click(person);
  await user.keyboard('{/Alt}');
  await waitFor(() => expect(search()).toEqual({ without: 'actor:ada' }));
  await userEvent.click((await screen.findAllByRole('button', { name: 'Ada' }))[0] as HTMLElement);
  await waitFor(() => expect(search()).toEqual({ without: 'actor:ada', actor: 'ada' }));
});

test('opens a row to everything recorded about it', async () => {
  open();
  await userEvent.click((await screen.findAllByRole('button', { name: 'Show details' }))[0] as HTMLElement);
  expect(await screen.findByText('In full')).toBeTruthy();
  expect(screen.getByText('Received')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Hide details' }).getAttribute('aria-expanded')).toBe('true');
});

test('says what the context is, and removes it', async () => {
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

test('a linked event is open among what happened around it', async () => {
  const { search } = open(`/explore?event=${uuid(2)}`);
  expect(await screen.findByText('In full')).toBeTruthy();
  expect(changes()).toEqual(['“Change 3”', '“Change 2”', '“Change 1”']);
  await userEvent.click(screen.getByRole('button', { name: 'Show the latest' }));
  await waitFor(() => expect(search()).toEqual({}));
});

test('a link to nothing says so and leads on', async () => {
  fakeApi.refuse(getEvent, 404, 'not_found', 'That event was not found.');
  const { search } = open(`/explore?event=${uuid(77)}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Show all events' }));
  await waitFor(() => expect(search()).toEqual({}));
});

test('news is fetched at once by whoever reads at the top', async () => {
  open();
  await screen.findByText('“Change 3”');
  stored = [event(4), ...stored];
  await waitFor(() => expect(wire.say).toBeDefined());
  act(() => wire.say?.('orgEvents', { count: 1 }));
  expect(await screen.findByText('“Change 4”')).toBeTruthy();
  expect(changes()[0]).toBe('“Change 4”');
});

test('names the filters that nothing matches, and clears them', async () => {
  stored = [];
  const { search } = open('/explore?kind=commit&query=camt');
  expect(await screen.findByText('No events match')).toBeTruthy();
  const filters = screen.getByRole('list', { name: 'Filters in use' });
  expect(within(filters).getByText('“camt”')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1) as HTMLElement);
  await waitFor(() => expect(search()).toEqual({}));
});

test('an organization without events is told what brings them', async () => {
  stored = [];
  open();
  expect(await screen.findByText('No events yet')).toBeTruthy();
});
