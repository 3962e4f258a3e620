import { Refusal } from '#core/errors.ts';
import type { Database } from '#database/database.ts';

/** Whether all events of an organization are copied, except those of the last moments. */
export async function isCopyComplete(database: Database, orgId: string): Promise<boolean> {
  const [row] = await database.onceWithOrg<{ whole: boolean }>(orgId, {
    name: 'events.copied',
    text: ` select c.whole from tenant cross join lateral (select whole from event_copy where org_id = tenant.org offset 0) c`,
    values: [],
  });
  return row?.whole ?? false;
}

/** Throws 503 until all events are copied, since an incomplete result would look complete. */
export async function requireCompleteCopy(database: Database, orgId: string): Promise<void> {
  if (await isCopyComplete(database, orgId)) return;
  throw new Refusal('unavailable', 'Partial words are not searchable yet because events are still being copied.', {
    cause: 'Try again in a few minutes. Complete words and prefixes such as word* work.',
  });
}
