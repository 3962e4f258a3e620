import type { Tx } from '#database/database.ts';

interface SeededNotification {
  orgId: string;
  notificationId: string;
  owner: string;
  name: string;
}

/** Inserts an unread notification of the owner. */
export async function insertNotification(
  { db }: Tx,
  { orgId, notificationId, owner, name }: SeededNotification,
): Promise<void> {
  const at = new Date();
  await db
    .insertInto('notification')
    .values({
      org_id: orgId,
      account_id: owner,
      id: notificationId,
      type: 'repository.disabled',
      severity: 2,
      title: `${name}/web was disabled`,
      titles: `${name}/web was disabled`,
      body: '',
      link: '/repositories',
      reason: 'owner',
      scope_key: 'repository:seed',
      count: 1,
      status: 'unread',
      in_app: true,
      subject: JSON.stringify({ kind: 'repository', ident: `${name}/web` }),
      created_at: at,
      updated_at: at,
    })
    .execute();
}
