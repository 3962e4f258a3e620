import { sql } from 'kysely';
import { countAttempts, forgetAttempts, limits, networkOf } from '#core/attempts.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { endGrantsEverywhere } from '../extensions/commands.ts';
import { endSessions } from '../sessions/commands.ts';
import { mailNotice } from './commands.ts';
import { enqueueMail } from './jobs.ts';
import { consumeLink, forgetLinks, type LinkOwner } from './links.ts';
import { noteReset, type Origin } from './login-audit.ts';
import { confirmOwner, endUnfinishedSignIns } from './ownership.ts';
import { hashPassword } from './passwords.ts';

/** Mails a link to a new password if the address has an account; answers the seconds to wait when asked too often. */
export async function requestReset(services: Services, email: string, address: string): Promise<number> {
  return services.database.global(async (tx) => {
    const wait = await countAttempts(tx, [
      [limits.signUpByNetwork, networkOf(address)],
      [limits.mailByMinute, email],
      [limits.mailByDay, email],
    ]);
    if (wait > 0) return wait;
    const account = await tx.db
      .selectFrom('account')
      .select('id')
      .where(sql<boolean>`lower(email) = ${email}`)
      .executeTakeFirst();
    // An unknown address costs a job too, which finds nobody.
    await enqueueMail(services, tx, { kind: 'reset', accountId: account?.id ?? newId() });
    return 0;
  });
}

/** Sets a new password with a link and ends every session of the account; undefined when the link no longer works. */
export async function resetPassword(
  services: Services,
  token: string,
  password: string,
  origin: Origin,
): Promise<LinkOwner | undefined> {
  const hash = await hashPassword(password, services.config);
  return services.database.global(async (tx) => {
    const link = await consumeLink(tx, 'PasswordReset', token);
    if (!link) return undefined;
    if (!link.verified) await confirmOwner(tx, link.accountId);
    await tx.db
      .insertInto('account_password')
      .values({ account_id: link.accountId, hash })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash, changed_at: sql`now()` }))
      .execute();
    await forgetLinks(tx, 'PasswordReset', link.accountId);
    await forgetLinks(tx, 'EmailConfirmation', link.accountId);
    await forgetAttempts(tx, limits.signInByAddress, link.email);
    await endSessions(services, tx, link.accountId, () => true);
    const { requestId, address } = origin;
    const doerOf = (personId: string) => ({ accountId: link.accountId, personId, requestId, address });
    await endGrantsEverywhere(services, tx, link.accountId, doerOf, 'password reset');
    await endUnfinishedSignIns(tx, link.accountId);
    await mailNotice(services, tx, link.accountId, 'password-changed');
    await noteReset(services, tx, link.accountId, origin);
    return link;
  });
}
