import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { requireVisibleFinding } from './queries.ts';

/**
 * Marks a finding as read or unread for a member; unread findings have no row. Throws 404 for a finding outside their
 * scope.
 */
export async function setFindingRead(tx: Tx, actor: Actor, findingId: string, read: boolean): Promise<null> {
  const { orgId, accountId } = actor;
  await requireVisibleFinding(tx, actor, findingId);
  const row = { org_id: orgId, account_id: accountId, finding_id: findingId };
  if (read) {
    await tx.db
      .insertInto('finding_seen')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return null;
  }
  await tx.db
    .deleteFrom('finding_seen')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('finding_id', '=', findingId)
    .execute();
  return null;
}
