import { sql } from 'kysely';
import { type AccountAuditActor, recordAccountChange } from '#core/account-audit.ts';
import { domainOf } from '#core/email-address.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { IdentityProviderUser } from '#providers/upstream/upstream.ts';
import { findOwnFactors, hasAnyFactor } from '../../second-factors/queries.ts';
import { findOrCreateAccount } from '../addresses.ts';
import { attachIdentity, findIdentityOwner, refreshIdentity } from '../linking/identities.ts';
import { recordRefusal } from '../linking/refusals.ts';
import { confirmEmailAndResetCredentials } from '../ownership.ts';
import { consumePendingLogin, findPendingLogin, storePendingLogin } from './pending-logins.ts';

export interface MatchedAccount {
  id: string;
  email: string;
}

/**
 * The result of an external login: an account; an account with the same confirmed address that must be signed in to
 * first, since accounts are never merged by address alone; an address that must be confirmed by email; or a person who
 * may not sign up.
 */
export type RecognitionResult =
  | { account: MatchedAccount }
  | { prove: string }
  | { confirm: string | undefined }
  | { notAdmitted: true };

/**
 * Whether the provider may sign in to an account with this address. The provider of an organization has no more power than
 * the owner of its domains, who receives the mail of these addresses.
 */
const mayUse = ({ onlyDomains }: IdentityProviderUser, address: string): boolean =>
  onlyDomains === undefined || onlyDomains.includes(domainOf(address).toLowerCase());

/** Recognizes a person in the sign-in `interaction`. Creates an account for a new person with a confirmed address. */
export async function recognizePerson(
  services: Services,
  interaction: string,
  person: IdentityProviderUser,
  actor: AccountAuditActor,
): Promise<RecognitionResult> {
  const { email } = person;
  const result = await services.database.global(async (tx): Promise<RecognitionResult> => {
    const owner = await findIdentityOwner(tx, person);
    if (owner) {
      if (!mayUse(person, owner.email)) return { notAdmitted: true };
      await refreshIdentity(services, tx, owner.id, person);
      return { account: owner };
    }
    if (email === undefined || !person.emailVerified) {
      await storePendingLogin(tx, interaction, person);
      return { confirm: email };
    }
    const account = await findOrCreateAccount(services, tx, { email, name: person.name });
    if (!account) return { notAdmitted: true };
    if (account.verified) {
      await storePendingLogin(tx, interaction, person);
      return { prove: email };
    }
    await openAccount(services, tx, { accountId: account.id, person, actor });
    return { account: { id: account.id, email } };
  });
  if (('prove' in result || 'confirm' in result) && email !== undefined) {
    const owner = await ownerOfAddress(services, email);
    const reason = 'prove' in result ? 'login not connected' : 'unconfirmed address';
    await recordRefusal(services, { accountIds: [owner], actor, reason, connection: person.connection });
  }
  return result;
}

/**
 * Confirms the account of an address that was just proved. Deletes the password of an unconfirmed earlier sign-up,
 * which another person may have chosen.
 */
export async function openAccount(
  services: Services,
  tx: Tx,
  { accountId, person, actor }: { accountId: string; person: IdentityProviderUser; actor: AccountAuditActor },
): Promise<void> {
  await tx.db.updateTable('account').set({ name: person.name }).where('id', '=', accountId).execute();
  await confirmEmailAndResetCredentials(tx, accountId);
  await recordAccountChange(tx, {
    people: services.people,
    accountId,
    actor: { ...actor, accountId },
    entry: { action: 'account.created', data: { connection: person.connection } },
  });
  await attachIdentity(services, tx, { accountId, person, actor: { ...actor, accountId }, how: 'quietly' });
}

/**
 * Connects the pending external login of a sign-in after the account of the same address authenticated in it. Excludes
 * accounts with a second factor, which has not been verified yet: their owners connect the login in the account
 * settings.
 */
export const connectPendingLogin = (
  services: Services,
  interaction: string,
  account: MatchedAccount,
  actor: AccountAuditActor,
) =>
  services.database.global(async (tx) => {
    const pending = await findPendingLogin(tx, interaction);
    if (!pending?.person.emailVerified || pending.person.email !== account.email.toLowerCase()) return;
    if (hasAnyFactor(await findOwnFactors(tx, account.id))) return;
    const person = await consumePendingLogin(tx, pending.id);
    if (person)
      await attachIdentity(services, tx, { accountId: account.id, person, actor: { ...actor, accountId: account.id } });
  });

const ownerOfAddress = ({ database }: Services, email: string): Promise<string | undefined> =>
  database.global(async ({ db }) => {
    const row = await db
      .selectFrom('account')
      .select('id')
      .where(sql<boolean>`lower(email) = ${email}`)
      .where('email_verified_at', 'is not', null)
      .executeTakeFirst();
    return row?.id;
  });
