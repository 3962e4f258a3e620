import type { Actor } from '#core/actor.ts';
import { Refusal } from '#core/errors.ts';
import type { Database } from '#database/database.ts';
import type { StoreCondition } from '../store/condition.ts';

const MAX_UNREAD_EVENTS = 10_000;

/** The events of the unread notifications of the actor. */
export async function unreadEventsOf(database: Database, { orgId, accountId }: Actor): Promise<StoreCondition> {
  const rows = await database.onceWithOrg<{ id: string }>(orgId, {
    name: 'events.unread',
    text: ` select u.id from tenant cross join lateral (
              select distinct unnest(event_ids) as id from notification
              where org_id = tenant.org and account_id = $2 and status = 'unread' and in_app limit ${MAX_UNREAD_EVENTS + 1} offset 0) u`,
    values: [accountId],
  });
  if (rows.length > MAX_UNREAD_EVENTS)
    throw new Refusal(
      'query_too_complex',
      `More than ${MAX_UNREAD_EVENTS} events are unread. Mark some of your notifications as read.`,
    );
  return { is: 'column', column: 'id', any: rows.map(({ id }) => id) };
}
