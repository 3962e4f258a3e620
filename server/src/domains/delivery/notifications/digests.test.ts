import {
  changeNotifications,
  getNotificationSettings,
  type NotificationSettings,
  updateNotificationSettings,
} from '@sightline/contract/delivery/notifications.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import { archiveOrganization } from '@sightline/contract/organization/organizations.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailMessage } from '#providers/mail.ts';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { setFlag } from '../../identity/flags/commands.ts';
import { raiseNotifications } from './commands.ts';
import { inboxOf, makeDigestsDue, runJob } from './testing/scene.ts';

let server: TestServer;
let org: TestOrganization;
let reviewer: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization('Acme');
  reviewer = await server.make.member(org.id, 'rol_reviewer');
});
afterAll(() => server.close());

/** Notifies the owners of a failed integration. */
async function fail(key = 'checkmarx'): Promise<void> {
  await server.services.database.withOrg(org.id, (tx) =>
    raiseNotifications(server.services, tx, org.id, {
      actor: { integration: key },
      notifications: [
        {
          type: 'integration.failed',
          key,
          name: 'Checkmarx One',
          category: 'security-scanners',
          message: 'The key was revoked.',
        },
      ],
    }),
  );
  await runJob(server, 'notifications.deliver', org.id);
}
async function mails(send?: (message: MailMessage) => Promise<void>): Promise<MailMessage[]> {
  const sent: MailMessage[] = [];
  await runJob(server, 'notifications.send', org.id, async (message) => {
    await send?.(message);
    sent.push(message);
  });
  return sent;
}
const due = async (): Promise<Date | undefined> => {
  const [row] = await inOrg<{ due_at: Date }>('select due_at from notification_digest where org_id = $1');
  return row?.due_at;
};
const inOrg = <Row extends Record<string, unknown>>(text: string) =>
  server.services.database.withOrg(org.id, (tx) => tx.query<Row>({ name: '', text, values: [org.id] }));
async function choose(over: Partial<NotificationSettings>): Promise<void> {
  const owner = server.as(org.owner, org.id);
  const { locked: _l, defaults: _d, email: _e, nextMailAt: _n, ...own } = await owner(getNotificationSettings, {});
  await owner(updateNotificationSettings, { body: { ...own, ...over } });
}

test('sends an email when it is due, once, with a description and a link', async () => {
  await fail();
  expect(await mails()).toEqual([]);
  expect(await due()).toBeInstanceOf(Date);
  await makeDigestsDue(server, org.id);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: org.owner.email, subject: 'Checkmarx One failed · Acme' });
  const link = `${server.config.PUBLIC_URL}/integrations/security-scanners?organization=${org.id}`;
  expect(mail?.text).toContain(`Checkmarx One failed\nThe key was revoked.\n${link}`);
  expect(mail?.html).toContain(link.replaceAll('&', '&amp;'));
  expect(mail?.text).toContain(`/notification/settings?organization=${org.id}`);
  expect(await due()).toBeUndefined();
});

test('omits notifications already read in the product from the email', async () => {
  await fail();
  await server.as(org.owner, org.id)(changeNotifications, { body: { all: true, status: 'archived' } });
  await makeDigestsDue(server, org.id);
  expect(await mails()).toEqual([]);
  expect(await due()).toBeUndefined();
});

test('retries an email that failed to send and includes notifications raised in the meantime', async () => {
  await fail();
  await makeDigestsDue(server, org.id);
  const refused = async () => {
    throw new Error('no mail server');
  };
  expect(await mails(refused)).toEqual([]);
  expect((await due())?.getTime()).toBeGreaterThan(Date.now());
  await fail('github');
  await makeDigestsDue(server, org.id);
  expect(await mails()).toMatchObject([{ subject: '2 notifications from Acme' }]);
});

test('defers a notification raised during sending to the next email', async () => {
  await fail();
  await makeDigestsDue(server, org.id);
  expect(await mails(() => fail('github'))).toHaveLength(1);
  expect((await due())?.getTime()).toBeGreaterThan(Date.now());
  await makeDigestsDue(server, org.id);
  const [mail] = await mails();
  expect(mail?.subject).toBe('Checkmarx One failed · Acme');
});

test('hides an email-only notification from the inbox and deletes it after sending', async () => {
  const { matrix } = await server.as(org.owner, org.id)(getNotificationSettings, {});
  await choose({
    matrix: { ...matrix, 'integration.failed': { ...matrix['integration.failed'], inApp: false, mail: true } },
  });
  await fail();
  expect(await inboxOf(server, org.id, org.owner)).toEqual({ items: [], unread: 0 });
  await makeDigestsDue(server, org.id);
  expect(await mails()).toHaveLength(1);
  expect(await inOrg('select id from notification where org_id = $1')).toEqual([]);
});

test('sends an empty daily email when the member chose to receive it', async () => {
  await choose({ sendEmpty: true });
  expect((await due())?.getUTCHours()).toBe(8);
  await makeDigestsDue(server, org.id);
  expect(await mails()).toMatchObject([{ subject: 'No new notifications from Acme' }]);
  expect((await due())?.getTime()).toBeGreaterThan(Date.now());
  await choose({ sendEmpty: false });
  expect(await due()).toBeUndefined();
});

test('sends no email for an archived organization or to a former member', async () => {
  await server.services.database.withOrg(org.id, (tx) =>
    raiseNotifications(server.services, tx, org.id, {
      actor: { integration: 'test' },
      notifications: [
        {
          type: 'exception.requested',
          finding: { id: org.id, title: 'SQL injection' },
          requestedBy: org.owner.id,
          repository: { id: org.id, name: 'acme/api' },
          until: '2030-01-01T00:00:00Z',
        },
      ],
    }),
  );
  await runJob(server, 'notifications.deliver', org.id);
  await server.as(org.owner, org.id)(deactivateMember, { params: { userId: reviewer.id } });
  await makeDigestsDue(server, org.id);
  expect((await mails()).map(({ to }) => to)).toEqual([org.owner.email]);
  await fail();
  await makeDigestsDue(server, org.id);
  await server.as(org.owner, org.id)(archiveOrganization, {});
  expect(await mails()).toEqual([]);
});

test('raises and stores no notifications while the feature is disabled', async () => {
  await setFlag(server.services, { orgId: org.id }, { name: 'notificationSystem', enabled: false, operator: 'olga' });
  await fail();
  expect(await inOrg('select id from notification where org_id = $1')).toEqual([]);
  expect(await inOrg('select id from notification_pending where org_id = $1')).toEqual([]);
});

test('queues due emails and notifications with lost jobs on the scheduler tick', async () => {
  await fail();
  await makeDigestsDue(server, org.id);
  await server.services.database.pool.query(`delete from pgboss.job where name like 'notifications.%'`);
  await runJob(server, 'notifications.tick', org.id);
  const { rows } = await server.services.database.pool.query(
    `select name from pgboss.job where name like 'notifications.%' and data->>'orgId' = $1 order by name`,
    [org.id],
  );
  expect(rows).toEqual([{ name: 'notifications.deliver' }, { name: 'notifications.send' }]);
});

describe('the email for an event at', () => {
  // biome-ignore format: a table is read by its columns
  test.each([
    ['2026-03-02T10:00:30Z', 'instant', 'UTC', null, null, '2026-03-02T10:01:30Z'],
    ['2026-03-02T10:00:00Z', 'hourly', 'UTC', null, null, '2026-03-02T11:00:00Z'],
    ['2026-03-02T10:59:59Z', 'hourly', 'UTC', null, null, '2026-03-02T11:00:00Z'],
    ['2026-03-02T07:59:00Z', 'daily', 'UTC', null, null, '2026-03-02T08:00:00Z'],
    ['2026-03-02T08:00:00Z', 'daily', 'UTC', null, null, '2026-03-03T08:00:00Z'],
    // Monday
    ['2026-03-02T07:59:00Z', 'weekly', 'UTC', null, null, '2026-03-02T08:00:00Z'],
    ['2026-03-02T08:00:00Z', 'weekly', 'UTC', null, null, '2026-03-09T08:00:00Z'],
    ['2026-03-08T23:00:00Z', 'weekly', 'UTC', null, null, '2026-03-09T08:00:00Z'],
    // In the time zone of the member, with and without daylight saving time
    ['2026-07-01T05:00:00Z', 'daily', 'Europe/Berlin', null, null, '2026-07-01T06:00:00Z'],
    ['2026-01-01T05:00:00Z', 'daily', 'Europe/Berlin', null, null, '2026-01-01T07:00:00Z'],
    ['2026-01-01T05:00:00Z', 'hourly', 'Asia/Kolkata', null, null, '2026-01-01T05:30:00Z'],
    // The night before the clock goes forward
    ['2026-03-28T20:00:00Z', 'daily', 'Europe/Berlin', null, null, '2026-03-29T06:00:00Z'],
    // Quiet hours over midnight, and within a day
    ['2026-03-02T22:30:00Z', 'instant', 'UTC', 1320, 420, '2026-03-03T07:00:00Z'],
    ['2026-03-02T02:30:00Z', 'instant', 'UTC', 1320, 420, '2026-03-02T07:00:00Z'],
    ['2026-03-02T06:59:30Z', 'instant', 'UTC', 1320, 420, '2026-03-02T07:00:30Z'],
    ['2026-03-02T12:30:00Z', 'hourly', 'UTC', 720, 840, '2026-03-02T14:00:00Z'],
    ['2026-03-02T07:00:00Z', 'daily', 'UTC', 0, 600, '2026-03-02T10:00:00Z'],
    ['2026-03-02T12:30:00Z', 'instant', 'UTC', 720, 720, '2026-03-02T12:31:00Z'],
  ])('%s with %s cadence in %s and quiet hours %s to %s is due at %s', async (at, cadence, zone, from, until, sent) => {
    const { rows } = await server.services.database.pool.query<{ due: Date }>(
      'select notification_due($1, $2, $3, $4, $5) as due',
      [at, cadence, zone, from, until],
    );
    expect(rows[0]?.due.toISOString()).toBe(new Date(sent).toISOString());
  });
});
