import { forEachOrganizationOfAccount } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import type { Services } from '#core/services.ts';
import { revokeExtensionGrants } from '../extensions/commands.ts';
import { endSessions } from '../sessions/commands.ts';
import { findOwnFactors, hasAnyFactor } from './queries.ts';

/**
 * Removes all second factors of an account on behalf of the operator and ends its sessions. Returns whether there were
 * any.
 */
export const resetSecondFactors = (services: Services, actor: AccountActor & { operator: string }): Promise<boolean> =>
  services.database.global(async (tx) => {
    const { accountId, operator } = actor;
    await tx.db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    if (!hasAnyFactor(await findOwnFactors(tx, accountId))) return false;
    for (const table of ['account_totp', 'account_passkey', 'account_recovery_code'] as const) {
      await tx.db.deleteFrom(table).where('account_id', '=', accountId).execute();
    }
    await endSessions(services, tx, accountId, () => true);
    const actorOf = (personId: string) => ({ ...actor, personId });
    await revokeExtensionGrants(services, tx, { accountId, actorOf, reason: 'second factor reset' });
    const action = 'login.second_factor_removed';
    const subject = { kind: 'account', id: accountId } as const;
    const data = { factor: 'all of them' };
    await recordOperatorEntry(tx, operator, { action, subject, data });
    await forEachOrganizationOfAccount(tx, accountId, undefined, async ({ orgId, personId }) => {
      await recordAuditEntry(tx, {
        people: services.people,
        orgId,
        actor: { ...actor, personId },
        entry: { action, subject, data },
      });
    });
    return true;
  });
