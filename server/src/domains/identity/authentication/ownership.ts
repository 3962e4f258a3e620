import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { lockAccount } from './account-lock.ts';
import { proofModel } from './linking/account-proof.ts';
import { ticketModel } from './linking/tickets.ts';
import { invalidateLinks } from './links.ts';

const credentialTables = [
  'account_password',
  'account_identity',
  'account_totp',
  'account_passkey',
  'account_recovery_code',
] as const;

/**
 * Confirms the email address of an account for a person who proved ownership of the mailbox. Another person may have
 * set credentials before, so all credentials and sessions are deleted. `keep` names a credential that was proved
 * together with the mailbox.
 */
export async function confirmEmailAndResetCredentials(
  tx: Tx,
  accountId: string,
  keep?: 'account_password',
): Promise<void> {
  await lockAccount(tx, accountId);
  for (const table of credentialTables) {
    if (table !== keep) await tx.db.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
  await tx.db
    .updateTable('account_session')
    .set({ ended_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .execute();
  await endUnfinishedSignIns(tx, accountId);
  await invalidateLinks(tx, 'EmailConfirmation', accountId);
  await invalidateLinks(tx, 'PasswordReset', accountId);
  await tx.db.updateTable('account').set({ email_verified_at: sql`now()` }).where('id', '=', accountId).execute();
}

/**
 * Ends what the session list does not contain: sessions without a client, unfinished sign-ins, and proofs of this
 * account for a merge.
 */
export async function endUnfinishedSignIns({ db }: Tx, accountId: string): Promise<void> {
  await db
    .updateTable('oidc_payload')
    .set({ consumed_at: sql`now()` })
    .where('model', 'in', ['Session', 'RefreshToken', 'AuthorizationCode'])
    .where(sql<boolean>`payload ->> 'accountId' = ${accountId}`)
    .where('consumed_at', 'is', null)
    .execute();
  await db
    .deleteFrom('oidc_payload')
    .where('model', 'in', ['Interaction', proofModel, ticketModel])
    .where(
      sql<boolean>`${accountId} in (payload ->> 'accountId', payload #>> '{result,login,accountId}',
        payload #>> '{lastSubmission,login,accountId}', payload #>> '{session,accountId}')`,
    )
    .execute();
}
