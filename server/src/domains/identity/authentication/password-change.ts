import { sql } from 'kysely';
import { recordOwnAccountChange } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { Conflict, Invalid, TooManyAttempts } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { revokeExtensionGrants } from '../extensions/commands.ts';
import { endSessions } from '../sessions/commands.ts';
import { checkPassword, queueSecurityNotice } from './commands.ts';
import { newPasswordProblem } from './common-passwords.ts';
import { hashPassword } from './passwords.ts';

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  endOtherSessions: boolean;
}

/** Changes the password of an account with the current one. Throws `conflict` if the account has no password. */
export async function changePasswordOf(services: Services, actor: AccountActor, given: PasswordChange): Promise<void> {
  const known = await services.database.global(({ db }) =>
    db.selectFrom('account_password').select('hash').where('account_id', '=', actor.accountId).executeTakeFirst(),
  );
  if (!known) throw Conflict('This account has no password. Request a link to set one.');
  const checked = await checkPassword(services, actor, given.currentPassword);
  if ('tooMany' in checked) throw TooManyAttempts(checked.tooMany);
  if ('wrong' in checked) throw Invalid('currentPassword', 'is not your current password');
  const problem = await newPasswordProblem(given.newPassword, actor.email);
  if (problem !== undefined) throw Invalid('newPassword', `is not acceptable. ${problem.replace(/\.$/, '')}`);
  const hash = await hashPassword(given.newPassword, services.config);
  await services.database.global(async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('account_password')
      .set({ hash, changed_at: sql`now()` })
      .where('account_id', '=', actor.accountId)
      // Fails if the password was changed concurrently.
      .where('hash', '=', known.hash)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw Conflict('The password was changed in another session.');
    if (given.endOtherSessions) {
      const { accountId, sessionId } = actor;
      await endSessions(services, tx, accountId, (id) => id !== sessionId);
      const actorOf = (personId: string) => ({ ...actor, personId });
      await revokeExtensionGrants(services, tx, { accountId, actorOf, reason: 'password changed' });
    }
    await recordOwnAccountChange(tx, services.people, actor, {
      action: 'login.password_changed',
      subject: { kind: 'account', id: actor.accountId },
    });
    await queueSecurityNotice(services, tx, actor.accountId, 'password-changed');
  });
}
