import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../notifications/commands.ts';
import { announceChat, clockActor } from './target-type.ts';

export const slackConnection = { key: 'slack', name: 'Slack', category: 'chat' } as const;

/**
 * Records that Slack rejects the token, or that the app was removed. Messages wait until another token is set. Owners are
 * notified once. `happenedAt`: ignored if the workspace was connected later.
 */
export async function recordRejection(
  services: Services,
  tx: Tx,
  orgId: string,
  { reason, happenedAt }: { reason: string; happenedAt?: Date },
): Promise<void> {
  const rejected = await tx.db
    .updateTable('chat_workspace')
    .set({ problem: reason })
    .where('org_id', '=', orgId)
    .where('service', '=', 'slack')
    .where('problem', 'is', null)
    .$if(happenedAt !== undefined, (q) => q.where('connected_at', '<', happenedAt ?? new Date()))
    .returning('team')
    .executeTakeFirst();
  if (!rejected) return;
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: clockActor,
    entry: {
      action: 'integration.rejected',
      subject: { kind: 'installation', id: 'slack' },
      data: { provider: 'slack', account: rejected.team, reason },
    },
  });
  await raiseNotifications(services, tx, orgId, {
    actor: clockActor,
    notifications: [{ type: 'integration.failed', ...slackConnection, message: reason }],
  });
  tx.afterCommit(() => announceChat(services, orgId));
}
