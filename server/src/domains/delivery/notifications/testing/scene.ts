import {
  countNotifications,
  listNotifications,
  type Notification,
} from '@sightline/contract/delivery/notifications.ts';
import type { MailMessage } from '#providers/mail.ts';
import type { TestAccount, TestServer } from '#testing/server.ts';
import { notificationJobs } from '../jobs.ts';

/** Runs a job of notifications. Emails are passed to `send`. */
export async function runJob(
  server: TestServer,
  name: 'notifications.deliver' | 'notifications.send' | 'notifications.remind' | 'notifications.tick',
  orgId: string,
  send: (message: MailMessage) => Promise<void> = async () => {},
): Promise<void> {
  const job = notificationJobs({
    ...server.services,
    mail: { local: false, send: (_, message) => send(message) },
  }).find((one) => one.name === name);
  await job?.handle({ orgId } as never);
}

/** Returns the inbox of an account and its number of unread notifications. */
export async function inboxOf(
  server: TestServer,
  orgId: string,
  who: TestAccount,
): Promise<{ items: Notification[]; unread: number }> {
  const call = server.as(who, orgId);
  const { items } = await call(listNotifications, { query: { limit: 50 } });
  return { items, unread: (await call(countNotifications, {})).count };
}

/** Makes every scheduled email due. */
export const makeDigestsDue = (server: TestServer, orgId: string): Promise<unknown> =>
  server.services.database.withOrg(orgId, (tx) =>
    tx.query({
      name: '',
      text: `update notification_digest set due_at = now() - interval '1 second' where org_id = $1`,
      values: [orgId],
    }),
  );
