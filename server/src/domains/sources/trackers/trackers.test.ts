import { createHmac } from 'node:crypto';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import {
  connectTracker,
  disconnectTracker,
  getTracker,
  listTicketProjects,
  type TrackerName,
  testTracker,
  trackerNames,
} from '@sightline/contract/sources/trackers.ts';
import { changeTicket, deleteTicket, findTicket, moveTicket, renewToken } from '@sightline/sandbox/trackers/site.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { refusalOf, type TestOrganization } from '#testing/server.ts';
import { requestTickets, resolveTicketKeys, rotateTrackerSecrets, saveResolvedTickets } from './commands.ts';
import { formOf, startTrackers, type TrackerWorld } from './connected.fixture.ts';

let world: TrackerWorld;
let acme: TestOrganization;
beforeAll(async () => {
  world = await startTrackers();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  acme = await world.server.make.organization();
  for (const tracker of trackerNames) {
    const { state } = world.site(tracker);
    Object.assign(state, { webhooks: [], mayHook: true, mayClose: true });
    world.site(tracker).repeats = 0;
  }
});

const asOwner = () => world.server.as(acme.owner, acme.id);
const cardOf = async (tracker: TrackerName) =>
  (await asOwner()(listIntegrations, {})).find(({ name }) => name === tracker);
const inAcme = <Result>(work: Parameters<typeof world.server.services.database.withOrg<Result>>[1]) =>
  world.server.services.database.withOrg(acme.id, work);
const ticketsOf = (tracker: TrackerName) =>
  inAcme(({ db }) =>
    db
      .selectFrom('ticket')
      .where('org_id', '=', acme.id)
      .where('tracker', '=', tracker)
      .select(['key', 'former_key', 'status', 'category', 'state'])
      .orderBy('key')
      .execute(),
  );
const resolve = async (keys: string[], at = new Date().toISOString()) => {
  const resolution = await resolveTicketKeys(world.server.services, acme.id, keys, at);
  if (resolution) await inAcme((tx) => saveResolvedTickets(tx, acme.id, resolution));
  return resolution;
};

describe.each(trackerNames)('%s', (tracker) => {
  const site = () => world.site(tracker);

  test('connects with a token, shows its state, and disconnects', async () => {
    const state = await world.connect(acme, tracker);
    expect(state).toMatchObject({
      tracker,
      connection: { account: 'Ada Byron', tokenEnd: formOf(site()).token.slice(-4), projects: 3 },
    });
    expect(JSON.stringify(state)).not.toContain(formOf(site()).token);
    await world.sync(acme, tracker);
    expect(site().state.webhooks).toHaveLength(1);
    expect(await cardOf(tracker)).toMatchObject({ status: 'active', detail: '3 projects, 0 tickets', missing: [] });
    const [listed] = await asOwner()(listTicketProjects, {});
    expect(listed?.projects.map(({ key }) => key)).toEqual(['PAY', 'OPS', 'SEC']);
    expect(listed?.projects[0]?.types).toEqual(tracker === 'linear' ? [] : ['Task', 'Bug']);
    await asOwner()(disconnectTracker, { params: { tracker } });
    expect(site().state.webhooks).toEqual([]);
    expect(await asOwner()(getTracker, { params: { tracker } })).toMatchObject({ connection: null });
    expect(await cardOf(tracker)).toMatchObject({ status: 'inactive' });
  });

  test('refuses a wrong token and names the field', async () => {
    const body = { ...formOf(site()), token: 'wrong' };
    expect(await refusalOf(asOwner()(connectTracker, { params: { tracker }, body }))).toEqual({
      status: 400,
      code: 'validation_failed',
    });
    expect(await asOwner()(testTracker, { params: { tracker }, body })).toMatchObject({
      ok: false,
      problem: { code: 'bad_token', field: 'token' },
    });
    expect(await asOwner()(testTracker, { params: { tracker }, body: formOf(site()) })).toEqual({
      ok: true,
      problem: null,
      projects: 3,
    });
  });

  test('shows a revoked token, and works again with a new one', async () => {
    await world.connect(acme, tracker);
    await world.sync(acme, tracker);
    renewToken(site());
    await world.sync(acme, tracker);
    expect(await cardOf(tracker)).toMatchObject({ status: 'error', problem: { code: 'bad_token' } });
    await world.connect(acme, tracker);
    await world.sync(acme, tracker);
    expect(await cardOf(tracker)).toMatchObject({ status: 'active', problem: null });
    expect(site().state.webhooks).toHaveLength(1);
  });

  test.each([
    ['a server error', { status: 500, times: 9 }, { code: 'unreachable' }],
    ['a truncated response', { truncate: true, times: 9 }, { code: 'unreachable' }],
  ])('shows %s on the card until it works again', async (_name, fault, problem) => {
    await world.connect(acme, tracker);
    await world.sync(acme, tracker);
    await world.control('faults', { match: `^${new URL(site().url()).pathname}/`, ...fault });
    await world.sync(acme, tracker);
    expect(await cardOf(tracker)).toMatchObject({ status: 'error', problem });
    await world.clearFaults();
    await world.sync(acme, tracker);
    expect(await cardOf(tracker)).toMatchObject({ status: 'active', problem: null });
  });

  test('waits for the end of a rate limit, and sends nothing before', async () => {
    await world.connect(acme, tracker);
    await world.control('faults', {
      match: `^${new URL(site().url()).pathname}/`,
      status: 429,
      retryAfter: 120,
      times: 1,
    });
    await world.sync(acme, tracker);
    const card = await cardOf(tracker);
    expect(card).toMatchObject({ status: 'active', problem: null });
    expect(card?.notes.join(' ')).toContain('Rate limited until');
    expect(card?.lastSyncAt).toBeNull();
    const { rows } = await world.server.services.database.pool.query<{ seconds: number }>(
      `select extract(epoch from start_after - now())::int as seconds from pgboss.job
       where name = 'trackers.sync' and data ->> 'orgId' = $1 and start_after > now() + interval '60 seconds'`,
      [acme.id],
    );
    expect(rows[0]?.seconds).toBeGreaterThan(90);
    await world.sync(acme, tracker);
    expect((await cardOf(tracker))?.lastSyncAt).toBeNull();
  });

  test('does not take a repeated page for the end of a list', async () => {
    if (tracker === 'jira-data-center') return; // Its list of projects has no pages.
    await world.connect(acme, tracker);
    site().repeats = 1;
    await world.sync(acme, tracker);
    expect(await cardOf(tracker)).toMatchObject({ status: 'error', problem: { code: 'unreachable' } });
    await world.sync(acme, tracker);
    expect(await cardOf(tracker)).toMatchObject({ status: 'active', detail: '3 projects, 0 tickets' });
  });

  test('reads keys as they were at a time', async () => {
    await world.connect(acme, tracker);
    await world.control('trackers/ticket', { site: tracker, key: 'PAY-100', createdAt: '2026-01-05T09:00:00.000Z' });
    const ticket = findTicket(site(), 'PAY-100');
    if (!ticket) throw new Error('no ticket');
    changeTicket(site(), ticket, { assignee: 'u-bob' }, '2026-03-01T00:00:00.000Z');
    changeTicket(site(), ticket, { status: 'In Progress' }, '2026-03-02T00:00:00.000Z');
    changeTicket(site(), ticket, { status: 'Done', assignee: 'u-ada' }, '2026-03-03T00:00:00.000Z');
    const at = async (time: string) => (await resolve(['PAY-100'], time))?.tickets[0];
    expect(await at('2026-02-01T00:00:00.000Z')).toMatchObject({ state: 'resolved', status: 'To Do', assignee: null });
    expect(await at('2026-03-02T12:00:00.000Z')).toMatchObject({
      status: 'In Progress',
      assignee: { name: 'Bob Noyce', email: 'bob@sandbox.example' },
    });
    expect(await at('2026-04-01T00:00:00.000Z')).toMatchObject({ status: 'Done', assignee: { name: 'Ada Byron' } });
    expect(await at('2025-01-01T00:00:00.000Z')).toMatchObject({ state: 'created_later' });
    expect((await resolve(['UTF-8', 'PAY-999']))?.tickets.map(({ state }) => state)).toEqual([
      'not_found',
      'not_found',
    ]);
  });

  test('reports tickets that were moved or deleted', async () => {
    await world.connect(acme, tracker);
    await world.control('trackers/ticket', { site: tracker, key: 'SEC-70' });
    await world.control('trackers/ticket', { site: tracker, key: 'SEC-71' });
    await resolve(['SEC-70', 'SEC-71']);
    await world.sync(acme, tracker);
    world.deliverHere(tracker);
    const [moved, deleted] = [findTicket(site(), 'SEC-70'), findTicket(site(), 'SEC-71')];
    if (!moved || !deleted) throw new Error('no tickets');
    moveTicket(site(), moved, 'OPS');
    deleteTicket(site(), deleted);
    await site().deliveries.settled();
    expect(
      site()
        .deliveries.log.slice(-2)
        .map(({ status }) => status),
    ).toEqual([202, 202]);
    await world.sync(acme, tracker, [moved.id, deleted.id]);
    expect(await ticketsOf(tracker)).toMatchObject([
      { key: moved.key, former_key: 'SEC-70', state: 'present' },
      { key: 'SEC-71', state: 'missing' },
    ]);
    const card = await cardOf(tracker);
    expect(card?.missing).toContain('1 referenced ticket was deleted or hidden from the token.');
    expect(card?.notes).toContain('1 ticket has a new key after a move.');
    expect((await resolve(['SEC-70']))?.tickets).toMatchObject([{ state: 'resolved', ticket: { key: moved.key } }]);
  });

  test('rejects unsigned webhooks, and accepts each delivery once', async () => {
    await world.connect(acme, tracker);
    await world.sync(acme, tracker);
    world.deliverHere(tracker);
    await world.control('trackers/ticket', { site: tracker, project: 'PAY' });
    const sent = site().deliveries.log.at(-1);
    if (!sent) throw new Error('nothing was delivered');
    expect(sent.status).toBe(202);
    const post = async (headers: Record<string, string>, body = sent.body) => {
      const answer = await fetch(sent.url, { method: 'POST', headers, body });
      return { status: answer.status, ...((await answer.json()) as { duplicate?: boolean }) };
    };
    expect(await post(sent.headers)).toMatchObject({ status: 202, duplicate: true });
    const signature = tracker === 'linear' ? 'linear-signature' : 'x-hub-signature';
    const delivery = tracker === 'linear' ? 'linear-delivery' : 'x-atlassian-webhook-identifier';
    // A replay under another ID, which is not signed.
    expect(await post({ ...sent.headers, [delivery]: 'another' })).toMatchObject({ status: 202, duplicate: true });
    const { [signature]: _, ...unsigned } = sent.headers;
    expect(await post(unsigned)).toMatchObject({ status: 401 });
    const digest = createHmac('sha256', 'a guess').update(sent.body).digest('hex');
    const guessed = tracker === 'linear' ? digest : `sha256=${digest}`;
    expect(await post({ ...sent.headers, [signature]: guessed })).toMatchObject({ status: 401 });
    expect(await post(sent.headers, `${sent.body} `)).toMatchObject({ status: 401 });
  });

  test('registers the webhook again with a rotated secret', async () => {
    await world.connect(acme, tracker);
    await world.sync(acme, tracker);
    const [before] = site().state.webhooks;
    expect(await inAcme((tx) => rotateTrackerSecrets(world.server.services, tx, acme.id))).toBe(1);
    world.deliverHere(tracker);
    await world.control('trackers/ticket', { site: tracker, project: 'PAY' });
    expect(site().deliveries.log.at(-1)?.status).toBe(202);
    await world.sync(acme, tracker);
    expect(site().state.webhooks).toHaveLength(1);
    expect(site().state.webhooks[0]?.secret).not.toBe(before?.secret);
    world.deliverHere(tracker);
    await world.control('trackers/ticket', { site: tracker, project: 'PAY' });
    expect(site().deliveries.log.at(-1)?.status).toBe(202);
  });

  test('shows that the token may not register webhooks', async () => {
    site().state.mayHook = false;
    await world.connect(acme, tracker);
    await world.sync(acme, tracker);
    const card = await cardOf(tracker);
    expect(card).toMatchObject({ status: 'active' });
    expect(card?.missing).toEqual(['The token may not register webhooks. Changes are read every five minutes.']);
  });

  test('creates a requested ticket once, also if the response is lost', async () => {
    await world.connect(acme, tracker);
    const owner = { ...acme.owner, accountId: acme.owner.id, orgId: acme.id };
    const before = site().state.tickets.length;
    const subjectId = newId();
    await inAcme((tx) =>
      requestTickets(world.server.services, tx, owner as never, {
        kind: 'finding',
        drafts: [{ subjectId, title: 'Fix it', text: 'Now.' }],
        target: { tracker, project: 'SEC', type: tracker === 'linear' ? null : 'Bug', grouping: 'each' },
        titleOfAll: String,
      }),
    );
    // On Linear, the third request: two pages of teams precede it.
    const fault = tracker === 'linear' ? { match: '/linear/graphql$', every: 3 } : { match: '/issue$' };
    await world.control('faults', { ...fault, truncate: true, times: 1 });
    await world.sync(acme, tracker, []);
    expect(site().state.tickets.length).toBe(before + 1);
    await world.sync(acme, tracker, []);
    await world.sync(acme, tracker, []);
    expect(site().state.tickets.length).toBe(before + 1);
    expect(site().state.tickets.at(-1)).toMatchObject({ project: 'SEC', title: 'Fix it', text: 'Now.' });
    const [request] = await inAcme(({ db }) =>
      db.selectFrom('ticket_request').where('org_id', '=', acme.id).select(['state', 'ticket_id']).execute(),
    );
    expect(request).toMatchObject({ state: 'created', ticket_id: expect.any(String) });
  });
});

test('does not send a stored token to another address', async () => {
  await world.connect(acme, 'jira-cloud');
  const { token: _, ...form } = formOf(world.site('jira-cloud'));
  const params = { tracker: 'jira-cloud' } as const;
  expect(await asOwner()(testTracker, { params, body: form })).toMatchObject({ ok: true });
  const elsewhere = { ...form, baseURL: `${world.github.sandbox.url}/jira-data-center` };
  expect(await refusalOf(asOwner()(testTracker, { params, body: elsewhere }))).toMatchObject({ status: 400 });
});

test('records who connected in the audit log, without the token', async () => {
  await world.connect(acme, 'linear');
  await asOwner()(disconnectTracker, { params: { tracker: 'linear' } });
  const rows = await inAcme(({ db }) =>
    db.selectFrom('audit_event').where('org_id', '=', acme.id).select(['action', 'data']).orderBy('at').execute(),
  );
  expect(rows.map(({ action }) => action).slice(-2)).toEqual(['integration.connected', 'integration.disconnected']);
  expect(JSON.stringify(rows)).not.toContain(formOf(world.site('linear')).token);
});
