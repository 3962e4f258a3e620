import { getChange } from '@sightline/contract/compliance/changes.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { connectTracker, disconnectTracker } from '@sightline/contract/sources/trackers.ts';
import { findTicket, moveTicket } from '@sightline/sandbox/trackers/site.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { formOf } from '../../sources/trackers/connected.fixture.ts';
import { syncTrackerTickets } from '../../sources/trackers/sync.ts';
import { startWorld } from './changes.fixture.ts';

const tracker = 'jira-cloud';
let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.close());

const site = () => {
  const found = world.github.sandbox.trackers.get(tracker);
  if (!found) throw new Error('no tracker');
  return found;
};
const owner = () => world.server.as(world.acme.owner, world.acme.id);
const connect = () => owner()(connectTracker, { params: { tracker }, body: formOf(site()) });
const complete = (value: unknown) => ({ state: 'complete', value });

async function merge(branch: string, body: string) {
  const { control, numberOf, recordOf } = world;
  const number = numberOf(branch);
  await control('plant', { number, body, linkedIssues: [] });
  await control('merge', { number, by: 'ada' });
  return recordOf(number);
}

test('records tickets as they were at the merge once a tracker is connected, and keeps them without it', async () => {
  const record = await merge('one', 'Part of PAY-60, see UTF-8.');
  expect(record.parts.tickets).toEqual({ state: 'missing' });
  expect(record.sources.tickets).toMatchObject({ state: 'missing', reason: 'not_requested' });
  await world.github.control('trackers/ticket', {
    site: tracker,
    key: 'PAY-60',
    createdAt: '2026-01-01T00:00:00.000Z',
    at: '2026-01-02T00:00:00.000Z',
    status: 'In Progress',
    assignee: { name: 'Ada', email: 'ada@example.org' },
  });
  // After the merge.
  await world.github.control('trackers/ticket', { site: tracker, key: 'PAY-60', status: 'Done', assignee: null });
  await connect();
  const read = await vi.waitFor(
    async () => {
      const now = await world.recordOf(record.number ?? 0);
      expect(now.parts.tickets).toEqual(complete(['resolved', 'not_found']));
      return now;
    },
    { timeout: 30_000 },
  );
  expect(read.version).toBeGreaterThan(record.version);
  expect(read.missing).not.toContain('tickets');
  expect(read.parts.namedTickets).toEqual(
    complete([
      {
        key: 'PAY-60',
        tracker,
        state: 'resolved',
        id: findTicket(site(), 'PAY-60')?.id,
        type: 'Task',
        status: complete('In Progress'),
        assignee: complete({ kind: 'human', identity: 'resolved', person: world.persons.ada }),
      },
      {
        key: 'UTF-8',
        tracker: null,
        state: 'not_found',
        id: null,
        type: null,
        status: { state: 'missing' },
        assignee: { state: 'missing' },
      },
    ]),
  );
  const ticket = findTicket(site(), 'PAY-60');
  if (!ticket) throw new Error('no ticket');
  moveTicket(site(), ticket, 'SEC');
  await syncTrackerTickets(world.server.services, world.acme.id, tracker, [ticket.id]);
  const change = await owner()(getChange, { params: { id: record.id }, query: {} });
  expect(change.parts.namedTickets.value?.[0]).toMatchObject({
    key: 'PAY-60',
    status: 'In Progress',
    now: { state: 'present', key: ticket.key },
  });
  await owner()(disconnectTracker, { params: { tracker } });
});

test('a tracker that does not respond leaves evidence missing until it does', async () => {
  await world.github.control('trackers/ticket', {
    site: tracker,
    key: 'PAY-61',
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  await connect();
  await world.github.control('faults', { match: '/issue/PAY-61', status: 500, times: 3 });
  const record = await merge('two', 'PAY-61');
  expect(record.parts.tickets).toEqual(complete(['unreachable']));
  expect(record.sources.tickets).toMatchObject({ state: 'partial', reason: 'unreachable' });
  expect(record.missing).toContain('tickets');
  const card = (await owner()(listIntegrations, {})).find(({ name }) => name === tracker);
  expect(card).toMatchObject({ status: 'error', problem: { code: 'unreachable' } });
  await syncTrackerTickets(world.server.services, world.acme.id, tracker);
  await vi.waitFor(
    async () => expect((await world.recordOf(record.number ?? 0)).parts.tickets).toEqual(complete(['resolved'])),
    { timeout: 30_000 },
  );
});
