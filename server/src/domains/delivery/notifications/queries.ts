import { severities } from '@sightline/contract/core/severities.ts';
import type {
  ListNotifications,
  Notification,
  NotificationPage,
  SearchNotifications,
} from '@sightline/contract/delivery/notifications.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Invalid } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { titleOf } from './mails.ts';
import { tallyWords } from './notification-text.ts';
import { conditionOf, textOf } from './search.ts';

type InboxReader = Pick<Actor, 'orgId' | 'accountId'>;

/** One page of the reader's notifications, newest first. Without a status, archived ones are excluded. */
export function listNotifications(
  tx: Tx,
  reader: InboxReader,
  { status, types, saved, search, limit, cursor }: ListNotifications,
): Promise<NotificationPage> {
  const words = search.split(/\s+/).filter((word) => word !== '');
  return pageOf(tx, reader, { limit, cursor }, [
    // Saved notifications include archived ones.
    ...(status !== undefined ? [sql`n.status = ${status}`] : saved ? [] : [sql`n.status <> 'archived'`]),
    ...(types.length > 0 ? [sql`n.type = any(${types}::text[])`] : []),
    ...(saved ? [sql`n.saved`] : []),
    ...words.map((word) => sql`${textOf} ilike ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`),
  ]);
}

/** The same for a query in the language of Explore. Throws 400 for an invalid query or an unsupported qualifier. */
export async function searchNotifications(
  tx: Tx,
  reader: InboxReader,
  { query, limit, cursor }: SearchNotifications,
): Promise<NotificationPage> {
  const chosen = await tx.db
    .selectFrom('notification_setting')
    .select('timezone')
    .where('org_id', '=', reader.orgId)
    .where('account_id', '=', reader.accountId)
    .executeTakeFirst();
  return pageOf(tx, reader, { limit, cursor }, [conditionOf(query, { ...reader, zone: chosen?.timezone ?? 'UTC' })]);
}

interface NotificationRow {
  id: string;
  type: Notification['type'];
  severity: number;
  title: string;
  titles: string;
  body: string;
  link: string;
  icon: string | null;
  reason: Notification['reason'];
  scope_key: string;
  count: number;
  tally: number[] | null;
  status: Notification['status'];
  saved: boolean;
  actor: Notification['actor'];
  subject: Notification['subject'];
  event_ids: string[];
  created_at: Date;
  updated_at: Date;
  read_at: Date | null;
}

const columns = sql`n.id, n.type, n.severity, n.title, n.titles, n.body, n.link, n.icon, n.reason, n.scope_key, n.count,
  n.tally, n.status, n.saved, n.actor, n.subject, n.event_ids, n.created_at, n.updated_at, n.read_at`;

async function pageOf(
  tx: Tx,
  { orgId, accountId }: InboxReader,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  conditions: readonly RawBuilder<unknown>[],
): Promise<NotificationPage> {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const all = [
    ...conditions,
    ...(after ? [sql`(n.updated_at, n.id) < (${after.at}::timestamptz, ${after.id}::uuid)`] : []),
  ];
  const { rows } = await sql<NotificationRow>`
    select ${columns}
    from notification n
    where n.org_id = ${orgId} and n.account_id = ${accountId} and n.in_app ${sql.join(
      all.map((condition) => sql` and (${condition})`),
      sql``,
    )}
    order by n.updated_at desc, n.id desc limit ${limit + 1}`.execute(tx.db);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => itemOf(orgId, row)),
    next: rows.length > limit && last ? `${last.updated_at.getTime()}_${last.id}` : null,
  };
}

/** Returns notifications by account and ID as inboxes show them, without those that are only emailed. */
export async function itemsOf(
  tx: Tx,
  orgId: string,
  keys: readonly { account_id: string; id: string }[],
): Promise<{ accountId: string; item: Notification }[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<NotificationRow & { account_id: string }>`
    select n.account_id, ${columns}
    from unnest(${keys.map(({ account_id }) => account_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as t(account_id, id)
    join notification n on n.org_id = ${orgId} and n.account_id = t.account_id and n.id = t.id
    where n.in_app order by n.id`.execute(tx.db);
  return rows.map((row) => ({ accountId: row.account_id, item: itemOf(orgId, row) }));
}

const cursorPattern = /^(\d{1,15})_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

function parseCursor(cursor: string): { at: Date; id: string } {
  const [, at, id] = cursorPattern.exec(cursor) ?? [];
  const date = new Date(Number(at));
  if (id === undefined || Number.isNaN(date.getTime())) throw Invalid('cursor', 'is not a cursor of this list');
  return { at: date, id };
}

const itemOf = (orgId: string, row: NotificationRow): Notification => ({
  id: row.id,
  orgId,
  type: row.type,
  severity: severities[row.severity] ?? 'info',
  title: titleOf(row),
  body: [row.tally ? tallyWords(row.tally) : '', row.body].filter((part) => part !== '').join(' · '),
  link: row.link,
  icon: row.icon,
  reason: row.reason,
  scopeKey: row.scope_key,
  count: row.count,
  status: row.status,
  saved: row.saved,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  readAt: row.read_at?.toISOString() ?? null,
  actor: row.actor,
  subject: row.subject,
  eventIds: row.event_ids,
});
