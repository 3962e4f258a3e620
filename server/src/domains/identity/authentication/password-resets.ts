import { sql } from 'kysely';
import { ATTEMPT_LIMITS, countAttempts, networkOf, refundAttempts } from '#core/attempts.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { revokeExtensionGrants } from '../extensions/commands.ts';
import { endSessions } from '../sessions/commands.ts';
import { queueSecurityNotice } from './commands.ts';
import type { FindDevice } from './devices.ts';
import { enqueueMail } from './jobs.ts';
import { consumeLink, invalidateLinks, type LinkOwner } from './links.ts';
import { type RequestOrigin, recordPasswordReset } from './login-audit.ts';
import { confirmEmailAndResetCredentials, endUnfinishedSignIns } from './ownership.ts';
import { refundPasswordAttempt } from './password-attempts.ts';
import { hashPassword } from './passwords.ts';

/**
 * Emails a password reset link if the email address has an account; also from account settings. Returns the seconds to
 * wait if a rate limit is exceeded, otherwise 0. A known browser has its own limit, which other browsers cannot exhaust.
 */
export async function requestPasswordReset(
  services: Services,
  email: string,
  ipAddress: string,
  findDevice: FindDevice,
): Promise<number> {
  return services.database.global(async (tx) => {
    const account = await tx.db
      .selectFrom('account as a')
      .leftJoin('account_password as w', 'w.account_id', 'a.id')
      .select(['a.id', 'w.hash'])
      .where(sql<boolean>`lower(a.email) = ${email}`)
      .executeTakeFirst();
    const device = account && findDevice({ id: account.id, passwordHash: account.hash ?? '' });
    const subject = device === undefined ? email : `${email} ${device}`;
    const waitSeconds = await countAttempts(tx, [
      ...(device === undefined ? [[ATTEMPT_LIMITS.resetByNetwork, networkOf(ipAddress)] as const] : []),
      [ATTEMPT_LIMITS.resetByMinute, subject],
      [ATTEMPT_LIMITS.resetByDay, subject],
    ]);
    if (waitSeconds > 0) return waitSeconds;
    // An unknown email address queues a job too, which finds no account.
    await enqueueMail(services, tx, { kind: 'reset', accountId: account?.id ?? newId() });
    return 0;
  });
}

/** Sets a new password with a link and ends every session of the account. Undefined if the link is no longer valid. */
export async function resetPassword(
  services: Services,
  token: string,
  password: string,
  origin: RequestOrigin,
): Promise<LinkOwner | undefined> {
  const hash = await hashPassword(password, services.config);
  return services.database.global(async (tx) => {
    const link = await consumeLink(tx, 'PasswordReset', token);
    if (!link) return undefined;
    if (!link.verified) await confirmEmailAndResetCredentials(tx, link.accountId);
    await tx.db
      .insertInto('account_password')
      .values({ account_id: link.accountId, hash })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash, changed_at: sql`now()` }))
      .execute();
    await invalidateLinks(tx, 'PasswordReset', link.accountId);
    await invalidateLinks(tx, 'EmailConfirmation', link.accountId);
    await refundPasswordAttempt(tx, { email: link.email, address: origin.address });
    await refundAttempts(tx, { cleared: [[ATTEMPT_LIMITS.signInByEmail, link.email]] });
    await endSessions(services, tx, link.accountId, () => true);
    const { requestId, address } = origin;
    const actorOf = (personId: string) => ({ accountId: link.accountId, personId, requestId, address });
    await revokeExtensionGrants(services, tx, { accountId: link.accountId, actorOf, reason: 'password reset' });
    await endUnfinishedSignIns(tx, link.accountId);
    await queueSecurityNotice(services, tx, link.accountId, 'password-changed');
    await recordPasswordReset(services, tx, link.accountId, origin);
    return link;
  });
}
