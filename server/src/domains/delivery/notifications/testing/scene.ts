import {
  countNotifications,
  listNotifications,
  type Notification,
} from '@sightline/contract/delivery/notifications.ts';
import type { MailMessage } from '#providers/mail.ts';
import type { TestAccount, TestServer } from '#testing/server.ts';
import { notificationJobs } from '../jobs.ts';

/** Works one of the jobs of notifications off, now. Mails go to `send`. */
export async function work(
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

/** What somebody has in their inbox, and how many of it they have not read. */
export async function inboxOf(
  server: TestServer,
  orgId: string,
  who: TestAccount,
): Promise<{ items: Notification[]; unread: number }> {
  const asked = server.as(who, orgId);
  const { items } = await asked(listNotifications, { query: { limit: 50 } });
  return { items, unread: (await asked(countNotifications, {})).count };
}

/** Lets the time of every mail that waits come. */
export const comeDue = (server: TestServer, orgId: string): Promise<unknown> =>
  server.services.database.withOrg(orgId, (tx) =>
    tx.query({
      name: '',
      text: `update notification_digest set due_at = now() - interval '1 second' where org_id = $1`,
      values: [orgId],
    }),
  );
