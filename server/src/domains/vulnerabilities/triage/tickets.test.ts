import { listAudit } from '@sightline/contract/organization/audit.ts';
import { createFindingTickets } from '@sightline/contract/vulnerabilities/finding-tickets.ts';
import { getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { dismissFindings, mergeFindings, reopenFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { changeTicket, findTicket } from '@sightline/sandbox/trackers/site.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createScanResult, createTestScanner } from '#testing/findings.ts';
import { refusalOf, type TestOrganization } from '#testing/server.ts';
import { startTrackers, type TrackerWorld } from '../../sources/trackers/connected.fixture.ts';

const tracker = 'jira-cloud';
let world: TrackerWorld;
let org: TestOrganization;
let ids: string[];

beforeAll(async () => {
  world = await startTrackers();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  org = await world.server.make.organization();
  const { send, findings } = await createTestScanner(world.server, org);
  const names = ['Injection', 'Traversal', 'Overflow'];
  await send(names.map((title, line) => createScanResult({ title, path: `src/${line}.ts`, line: 7, content: title })));
  ids = (await findings()).map(({ id }) => id);
  world.site(tracker).state.mayClose = true;
  await world.connect(org, tracker);
});

const owner = () => world.server.as(org.owner, org.id);
const target = { tracker, project: 'SEC', type: 'Bug' } as const;
const request = (findings: string[], more = {}) =>
  owner()(createFindingTickets, { body: { ids: findings, target: { ...target, ...more } } });
const ticketOf = async (findingId: string) => (await owner()(getFinding, { params: { findingId } })).ticket;
const sync = () => world.sync(org, tracker, []);
/** Another status is only read by naming the ticket, or in a whole sync. */
const syncAll = () => world.sync(org, tracker);
const made = () => world.site(tracker).state.tickets.filter(({ labels }) => labels.length > 0);

test('creates a ticket for each finding, once, and links it', async () => {
  const before = made().length;
  expect(await request(ids)).toEqual({ requested: 3, skipped: 0 });
  expect(await ticketOf(ids[0] ?? '')).toMatchObject({ state: 'requested', key: null });
  expect(await request(ids)).toEqual({ requested: 0, skipped: 3 });
  await sync();
  await sync();
  const tickets = made().slice(before);
  expect(tickets).toHaveLength(3);
  expect(tickets.map(({ title }) => title).toSorted()).toEqual([
    expect.stringMatching(/^Injection in /),
    expect.stringMatching(/^Overflow in /),
    expect.stringMatching(/^Traversal in /),
  ]);
  expect(tickets[0]?.text).toMatch(/Severity: \w+\nRepository: .+\nLocation: src\/\d\.ts:7\nDetails: http/);
  const finding = await owner()(getFinding, { params: { findingId: ids[0] ?? '' } });
  expect(finding.ticket).toMatchObject({ tracker, state: 'present', type: 'Bug', status: 'To Do', category: 'todo' });
  expect(finding.ticketUrl).toBe(finding.ticket?.url);
  expect(finding.history.find(({ kind }) => kind === 'edited')).toMatchObject({
    phrase: `linked the ticket ${finding.ticketUrl}`,
  });
  const { entries } = await owner()(listAudit, { query: { action: ['tickets.requested'] } });
  expect(entries).toHaveLength(1);
});

test('creates one ticket for several findings, which closes with the last of them', async () => {
  expect(await request(ids, { grouping: 'one' })).toEqual({ requested: 1, skipped: 0 });
  await sync();
  const ticket = made().at(-1);
  expect(ticket?.title).toBe('3 vulnerabilities to fix');
  await owner()(dismissFindings, { body: { ids: ids.slice(1), reason: 'false_positive' } });
  await sync();
  expect(ticket?.status).toBe('To Do');
  await owner()(dismissFindings, { body: { ids: ids.slice(0, 1), reason: 'false_positive' } });
  await sync();
  expect(ticket?.status).toBe('Done');
});

test('closes and reopens a ticket with its finding, and writes nothing without a change', async () => {
  const [id = ''] = ids;
  await request([id]);
  await sync();
  const ticket = made().at(-1);
  await owner()(dismissFindings, { body: { ids: [id], reason: 'false_positive' } });
  await sync();
  expect(ticket?.status).toBe('Done');
  await owner()(reopenFindings, { body: { ids: [id] } });
  await syncAll();
  expect(ticket?.status).toBe('To Do');
  const changes = ticket?.history.length;
  for (let time = 0; time < 3; time += 1) await syncAll();
  expect(ticket?.history).toHaveLength(changes ?? 0);
});

test('shows a closed ticket beside the open finding, and does not reopen it', async () => {
  const [id = ''] = ids;
  await request([id]);
  await sync();
  const ticket = findTicket(world.site(tracker), made().at(-1)?.key ?? '');
  if (!ticket) throw new Error('no ticket');
  changeTicket(world.site(tracker), ticket, { status: 'Done' });
  for (let time = 0; time < 3; time += 1) await syncAll();
  expect(ticket.status).toBe('Done');
  const finding = await owner()(getFinding, { params: { findingId: id } });
  expect(finding).toMatchObject({ status: 'open', ticket: { status: 'Done', category: 'done' } });
  // A later change here is transferred again.
  await owner()(dismissFindings, { body: { ids: [id], reason: 'false_positive' } });
  await owner()(reopenFindings, { body: { ids: [id] } });
  await syncAll();
  expect(ticket.status).toBe('Done');
});

test('keeps the ticket of a merged finding with the one that remains', async () => {
  const [id = '', other = ''] = ids;
  await request([other]);
  await sync();
  const ticket = made().at(-1);
  await owner()(mergeFindings, { params: { findingId: id }, body: { ids: [other] } });
  await syncAll();
  expect(ticket?.status).toBe('To Do');
  expect(await ticketOf(id)).toMatchObject({ key: ticket?.key });
  await owner()(dismissFindings, { body: { ids: [id], reason: 'false_positive' } });
  await syncAll();
  expect(ticket?.status).toBe('Done');
});

test('shows why a ticket cannot be closed, and why one was not created', async () => {
  const [id = '', other = ''] = ids;
  await request([id]);
  await sync();
  world.site(tracker).state.mayClose = false;
  await owner()(dismissFindings, { body: { ids: [id], reason: 'false_positive' } });
  await sync();
  expect(await ticketOf(id)).toMatchObject({
    status: 'To Do',
    note: expect.stringContaining('has no step to a done status'),
  });
  await world.control('faults', { match: '/issue$', status: 400, message: 'Field team is required', times: 1 });
  await request([other]);
  await sync();
  expect(await ticketOf(other)).toMatchObject({
    state: 'failed',
    note: expect.stringContaining('Field team is required'),
  });
  expect(await request([other])).toEqual({ requested: 1, skipped: 0 });
  await sync();
  expect(await ticketOf(other)).toMatchObject({ state: 'present' });
});

test('rejects unknown projects and types, and findings of other organizations', async () => {
  expect(await refusalOf(request(ids, { project: 'NOPE' }))).toMatchObject({ status: 400 });
  expect(await refusalOf(request(ids, { type: 'Epic' }))).toMatchObject({ status: 400 });
  expect(await refusalOf(request(ids, { tracker: 'linear', type: null }))).toMatchObject({ status: 409 });
  const stranger = await world.server.make.organization();
  await world.connect(stranger, tracker);
  const theirs = world.server.as(stranger.owner, stranger.id);
  expect(await refusalOf(theirs(createFindingTickets, { body: { ids, target } }))).toMatchObject({ status: 404 });
});
