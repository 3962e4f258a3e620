import type { Account } from '@sightline/contract/identity/accounts.ts';
import { passwordConnection } from '@sightline/contract/identity/identities.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';

type Traits = Account['traits'];
export type AccountDescription = Partial<Traits['description']> & { alias?: string };

/** The account with its profile and all sign-in methods, including the password. */
export async function findAccount(tx: Tx, accountId: string): Promise<Account> {
  const row = await tx.db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirst();
  if (!row) throw NotFound('Account');
  const { alias, ...description } = row.description as AccountDescription;
  return {
    nid: row.id,
    auth0_user_id: row.id,
    email: row.email,
    name: row.name,
    picture: row.picture,
    traits: {
      alias: alias ?? row.name,
      isEmployee: row.is_employee,
      isOperator: row.is_operator,
      onboardingComplete: row.onboarding_complete,
      hideTips: row.hide_tips,
      github: row.github_login === null ? null : { login: row.github_login, name: row.github_name },
      description: { displayName: row.name, bio: '', email: row.email, company: '', location: '', ...description },
    },
    linkedIdentities: await listIdentities(tx, row),
  };
}

async function listIdentities(
  { db }: Tx,
  account: { id: string; name: string; email: string },
): Promise<Account['linkedIdentities']> {
  const [password, linked] = [
    await db.selectFrom('account_password').select('account_id').where('account_id', '=', account.id).execute(),
    await db
      .selectFrom('account_identity')
      .selectAll()
      .where('account_id', '=', account.id)
      .orderBy('created_at')
      .orderBy('connection')
      .execute(),
  ];
  return [
    ...password.map(() => ({
      connection: passwordConnection,
      provider: 'auth0',
      user_id: account.id,
      profileData: { name: account.name, email: account.email },
    })),
    ...linked.map((row) => ({
      connection: row.connection,
      provider: row.provider,
      user_id: row.subject,
      profileData: row.profile as object,
    })),
  ];
}

/** Returns the confirmed addresses of accounts: their own, and those that an identity provider or directory verified. */
export const confirmedAddressesOf = (
  tx: Tx,
  accountIds: readonly string[],
): Promise<{ accountId: string; email: string }[]> =>
  tx.query<{ accountId: string; email: string }>({
    name: 'accounts.confirmedAddresses',
    text: `select id as "accountId", email from account where id = any($1::uuid[]) and email_verified_at is not null
           union select i.account_id, e.email from account_identity i join account_identity_email e using (connection, subject)
           where i.account_id = any($1::uuid[])`,
    values: [accountIds],
  });
