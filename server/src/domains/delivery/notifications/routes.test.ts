import { defaultNotificationChannels } from '@sightline/contract/delivery/notification-types.ts';
import {
  changeNotifications,
  getNotificationSettings,
  listNotificationDefaults,
  listNotifications,
  type Notification,
  type NotificationSettings,
  saveNotification,
  searchNotifications,
  updateNotificationDefaults,
  updateNotificationSettings,
} from '@sightline/contract/delivery/notifications.ts';
import { realtimePath } from '@sightline/contract/delivery/realtime.ts';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { raiseNotifications } from './commands.ts';
import { inboxOf, runJob } from './testing/scene.ts';

const nowhere = { inApp: false, mail: false, slack: false, teams: false };

let server: TestServer;
let org: TestOrganization;
let second: TestAccount;
const open: Socket[] = [];
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  second = await server.make.member(org.id, 'rol_owner');
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(() => server.close());

const as = (who = org.owner) => server.as(who, org.id);
const idsOf = ({ items }: { items: readonly Notification[] }) => items.map(({ id }) => id);

/** Notifies the owners of failed integrations with these names. */
async function fail(...names: string[]): Promise<Notification[]> {
  for (const name of names) {
    await server.services.database.withOrg(org.id, (tx) =>
      raiseNotifications(server.services, tx, org.id, {
        actor: { integration: 'test' },
        notifications: [
          {
            type: 'integration.failed',
            key: name,
            name,
            category: 'security-scanners',
            message: 'The response is 100% no.',
          },
        ],
      }),
    );
    await runJob(server, 'notifications.deliver', org.id);
  }
  return (await inboxOf(server, org.id, org.owner)).items;
}

test('pages the list with a cursor and filters by status, type, saved flag and text', async () => {
  await fail('one', 'two', 'three');
  const call = as();
  const first = await call(listNotifications, { query: { limit: 2 } });
  expect(first.items.map(({ title }) => title)).toEqual(['three failed', 'two failed']);
  const rest = await call(listNotifications, { query: { limit: 2, cursor: first.next ?? '' } });
  expect([rest.items.map(({ title }) => title), rest.next]).toEqual([['one failed'], null]);
  const [three, two] = idsOf(first);
  await call(changeNotifications, { body: { ids: [three ?? ''], status: 'archived' } });
  await call(saveNotification, { params: { notificationId: three ?? '' }, body: { saved: true } });
  await call(changeNotifications, { body: { ids: [two ?? ''], status: 'read' } });
  const list = async (query: object) => (await call(listNotifications, { query })).items.map(({ title }) => title);
  expect(await list({})).toEqual(['two failed', 'one failed']);
  expect(await list({ status: 'unread' })).toEqual(['one failed']);
  expect(await list({ status: 'archived' })).toEqual(['three failed']);
  expect(await list({ saved: 'true' })).toEqual(['three failed']);
  expect(await list({ types: ['tool.new'] })).toEqual([]);
  expect(await list({ search: '100% NO. two' })).toEqual(['two failed']);
  expect(await list({ search: '100_' })).toEqual([]);
  for (const cursor of ['x', '1_x', `99999999999999999_${newId()}`])
    expect(await refusalOf(call(listNotifications, { query: { cursor } }))).toMatchObject({ status: 400 });
});

test('supports the Explore query language in search', async () => {
  await fail('one', 'two');
  const find = async (query: string) =>
    (await as()(searchNotifications, { query: { query } })).items.map(({ title }) => title.split(' ')[0]);
  expect(await find('')).toEqual(['two', 'one']);
  expect(await find('two')).toEqual(['two']);
  expect(await find('tw')).toEqual([]);
  expect(await find('tw*')).toEqual(['two']);
  expect(await find('*aile*')).toEqual(['two', 'one']);
  expect(await find('"failed" -one')).toEqual(['two']);
  expect(await find('one OR two')).toEqual(['two', 'one']);
  expect(await find('actor:test severity:>=high after:-1d')).toEqual(['two', 'one']);
  expect(await find('severity:critical')).toEqual([]);
  expect(await find('severity:medium..critical')).toEqual(['two', 'one']);
  expect(await find('before:-1d')).toEqual([]);
  expect(await find('on:today')).toEqual(['two', 'one']);
  expect(await find('repo:acme/*')).toEqual([]);
  expect(await refusalOf(find('branch:main'))).toEqual({ status: 400, code: 'query_invalid' });
  expect(await refusalOf(find('severity:('))).toMatchObject({ status: 400 });
});

test('interprets dates in a search in the time zone of the member', async () => {
  await fail('one');
  const [dates] = await server.services.database.withOrg(org.id, (tx) =>
    tx.query<{ utc: string; berlin: string }>({
      name: '',
      // An hour before midnight in UTC it is the next day in Berlin.
      text: `update notification set updated_at = '2026-11-02T23:00:00Z' where org_id = $1
             returning '2026-11-02' as utc, '2026-11-03' as berlin`,
      values: [org.id],
    }),
  );
  const on = async (day = '') =>
    (await as()(searchNotifications, { query: { query: `on:${day}` } })).items.map(({ title }) => title.split(' ')[0]);
  expect([await on(dates?.utc), await on(dates?.berlin)]).toEqual([['one'], []]);
  await changeSettings({ timezone: 'Europe/Berlin' });
  expect([await on(dates?.utc), await on(dates?.berlin)]).toEqual([[], ['one']]);
});

test('hides the notifications of a member from all others and prevents changes to them', async () => {
  const [{ id = '' } = {}] = await fail('one');
  const other = await server.make.organization('Other');
  for (const stranger of [server.as(other.owner, other.id), as(await server.make.member(org.id, 'rol_reviewer'))]) {
    expect((await stranger(listNotifications, {})).items).toEqual([]);
    expect(await stranger(changeNotifications, { body: { ids: [id], status: 'read' } })).toEqual({
      updated: 0,
      unread: 0,
    });
    const saving = stranger(saveNotification, { params: { notificationId: id }, body: { saved: true } });
    expect(await refusalOf(saving)).toEqual({ status: 404, code: 'not_found' });
  }
  // Both owners were notified; each has a separate status.
  await as()(changeNotifications, { body: { all: true, status: 'read' } });
  expect((await inboxOf(server, org.id, second)).unread).toBe(1);
});

test('allows only one unread notification for the same subject', async () => {
  const [{ id = '' } = {}] = await fail('one');
  await as()(changeNotifications, { body: { ids: [id], status: 'read' } });
  const [newer] = await fail('one');
  expect(newer?.id).not.toBe(id);
  const again = await as()(changeNotifications, { body: { ids: [id, newer?.id ?? ''], status: 'unread' } });
  expect(again).toEqual({ updated: 0, unread: 1 });
});

async function connect(who: TestAccount): Promise<Socket> {
  const options = { path: realtimePath, transports: ['websocket'], reconnection: false, forceNew: true };
  const socket = io(`${server.url}/notifications`, { ...options, auth: { token: await server.token(who, org.id) } });
  open.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

test('serves the same four operations over a socket and pushes new and changed notifications', async () => {
  const socket = await connect(org.owner);
  const received: [string, unknown][] = [];
  socket.onAny((name, notifications) => received.push([name, notifications]));
  const [item] = await fail('one');
  await vi.waitFor(() => expect(received).toEqual([['newNotification', item]]), { timeout: 10_000 });
  expect(await socket.emitWithAck('list', {})).toEqual({ items: [item], next: null });
  expect(await socket.emitWithAck('list')).toEqual({ items: [item], next: null });
  expect(await socket.emitWithAck('countUnread', {})).toEqual({ count: 1 });
  expect(await socket.emitWithAck('search', { query: 'one severity:high' })).toEqual({ items: [item], next: null });
  expect(await socket.emitWithAck('search', { query: 'branch:x' })).toMatchObject({ error: { code: 'query_invalid' } });
  expect(await socket.emitWithAck('changeStatus', { ids: ['x'], status: 'read' })).toMatchObject({
    error: { code: 'validation_failed' },
  });
  expect(await socket.emitWithAck('changeStatus', { all: true, status: 'read' })).toEqual({ updated: 1, unread: 0 });
  await vi.waitFor(() => expect(received.at(-1)).toEqual(['notificationsChanged', {}]), { timeout: 10_000 });
});

/** The settings of an account in the form of a request. */
async function currentSettings(who = org.owner): Promise<NotificationSettings> {
  const { locked: _l, defaults: _d, email: _e, nextMailAt: _n, ...own } = await as(who)(getNotificationSettings, {});
  return own;
}
const changeSettings = async (changes: Partial<NotificationSettings>, who = org.owner) =>
  as(who)(updateNotificationSettings, { body: { ...(await currentSettings(who)), ...changes } });

test('applies the settings of the role until the member changes them, then keeps the changes', async () => {
  const own = await as()(getNotificationSettings, {});
  expect(own).toEqual({
    matrix: defaultNotificationChannels('rol_owner'),
    minSeverity: 'medium',
    cadence: 'daily',
    repositories: null,
    quietHours: null,
    timezone: 'UTC',
    sendEmpty: false,
    locked: false,
    defaults: { matrix: defaultNotificationChannels('rol_owner'), minSeverity: 'medium', cadence: 'daily' },
    email: org.owner.email,
    nextMailAt: null,
  });
  const matrix = { ...own.matrix, 'integration.failed': nowhere };
  const quietHours = { from: '22:30', until: '06:05' };
  const changed = await changeSettings({
    matrix,
    minSeverity: 'high',
    cadence: 'instant',
    quietHours,
    timezone: 'Asia/Kolkata',
  });
  expect(changed).toMatchObject({
    matrix,
    minSeverity: 'high',
    cadence: 'instant',
    quietHours,
    timezone: 'Asia/Kolkata',
  });
  expect(await fail('one')).toEqual([]);
  expect((await inboxOf(server, org.id, second)).unread).toBe(1);
  // The defaults of the role apply where the member has no setting.
  const { 'integration.recovered': _changed, ...others } = defaultNotificationChannels('rol_owner');
  const roleMatrix = { ...others, 'integration.recovered': { ...nowhere, mail: true } };
  await as(second)(updateNotificationDefaults, {
    params: { role: 'rol_owner' },
    body: { matrix: roleMatrix, minSeverity: 'low', cadence: 'weekly', locked: false },
  });
  expect(await currentSettings()).toMatchObject({
    minSeverity: 'high',
    cadence: 'instant',
    matrix: {
      'integration.recovered': { ...nowhere, mail: true },
      'integration.failed': nowhere,
    },
  });
});

test('rejects invalid settings with 400 and stores none of them', async () => {
  const stranger = newId();
  for (const [over, field] of [
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ repositories: [stranger] }, 'repositories'],
    [{ quietHours: { from: '25:00', until: '07:00' } }, 'quietHours.from'],
    [{ matrix: { 'tool.new': { inApp: true, mail: true } } }, 'matrix'],
  ] as const) {
    const refused = await refusalOf(changeSettings(over as never));
    expect([field, refused]).toEqual([field, { status: 400, code: 'validation_failed' }]);
  }
  expect(await currentSettings()).toMatchObject({ timezone: 'UTC', repositories: null, quietHours: null });
});

test('applies locked settings to all members of the role and restores their own after unlocking', async () => {
  const reviewer = await server.make.member(org.id, 'rol_reviewer');
  await changeSettings({ cadence: 'instant' }, reviewer);
  const body = {
    matrix: defaultNotificationChannels('rol_reviewer'),
    minSeverity: 'high',
    cadence: 'weekly',
    locked: true,
  } as const;
  const params = { role: 'rol_reviewer' } as const;
  await as()(updateNotificationDefaults, { params, body });
  expect(await as(reviewer)(getNotificationSettings, {})).toMatchObject({ locked: true, cadence: 'weekly' });
  expect(await refusalOf(changeSettings({ cadence: 'instant' }, reviewer))).toEqual({ status: 409, code: 'conflict' });
  expect(await changeSettings({ timezone: 'Europe/Berlin' }, reviewer)).toMatchObject({ timezone: 'Europe/Berlin' });
  await as()(updateNotificationDefaults, { params, body: { ...body, locked: false } });
  expect(await currentSettings(reviewer)).toMatchObject({
    cadence: 'instant',
    minSeverity: 'high',
    timezone: 'Europe/Berlin',
  });
  const roles = await as()(listNotificationDefaults, {});
  expect(roles.find(({ role }) => role === 'rol_reviewer')?.settings).toEqual({ ...body, locked: false });
});
