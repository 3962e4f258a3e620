import { type AccountAuditActor, recordAccountChange } from '#core/account-audit.ts';
import { countAttempts } from '#core/attempts.ts';
import type { Services } from '#core/services.ts';
import { enqueueMail } from '../jobs.ts';

/** The reason of a refused attempt to access an account, as stored in its audit log. */
export type AccountRefusalReason =
  | 'unconfirmed address'
  | 'address not confirmed here'
  | 'login not connected'
  | 'stale proof'
  | 'proof not acceptable'
  | 'account of another'
  | 'login of another'
  | 'answer used twice'
  | 'another browser'
  | 'second factor missing';

// Enough entries to reveal an attack, without flooding the log.
const recorded = { name: 'refused recorded', most: 30, windowSeconds: 3600 };
const mailed = { name: 'refused mailed', most: 1, windowSeconds: 86_400 };

/**
 * Records a refused attempt to access accounts. Owners other than the actor receive an email, once a day. Never throws,
 * since the refusal itself must not depend on it.
 */
export async function recordRefusal(
  services: Services,
  {
    accountIds,
    actor,
    reason,
    connection,
  }: {
    accountIds: readonly (string | undefined)[];
    actor: AccountAuditActor;
    reason: AccountRefusalReason;
    connection?: string | undefined;
  },
): Promise<void> {
  for (const accountId of new Set(accountIds)) {
    if (accountId === undefined) continue;
    await recordAccountRefusal(services, { accountId, actor, reason, connection }).catch((error: unknown) =>
      services.log.error({ err: error, reason }, 'a blocked attempt could not be recorded'),
    );
  }
}

const recordAccountRefusal = (
  services: Services,
  {
    accountId,
    actor,
    reason,
    connection,
  }: { accountId: string; actor: AccountAuditActor; reason: AccountRefusalReason; connection?: string | undefined },
) =>
  services.database.global(async (tx) => {
    const account = await tx.db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
    if (!account || (await countAttempts(tx, [[recorded, accountId]])) > 0) return;
    await recordAccountChange(tx, {
      people: services.people,
      accountId,
      actor,
      entry: {
        action: 'identity.refused',
        data: { reason, ...(connection !== undefined && { connection }) },
      },
    });
    // Usually this is the owner, who forgot the sign-in method.
    if (reason === 'login not connected') return;
    if (actor.accountId === accountId || (await countAttempts(tx, [[mailed, accountId]])) > 0) return;
    await enqueueMail(services, tx, { kind: 'notice', accountId, notice: 'login-refused' });
  });
