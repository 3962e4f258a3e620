import { sql } from 'kysely';
import { type AccountDoer, recordForAccount } from '#core/account-audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { UpstreamPerson } from '#providers/upstream/upstream.ts';
import { findOwnFactors, hasAny } from '../../second-factors/queries.ts';
import { claimAddress } from '../addresses.ts';
import { attachIdentity, maybeOwner, refreshIdentity } from '../linking/identities.ts';
import { noteRefusal } from '../linking/refusals.ts';
import { confirmOwner } from '../ownership.ts';
import { keepPending, pendingOf, takePending } from './pending.ts';

export interface MatchedAccount {
  id: string;
  email: string;
}

/**
 * The result of an external login: an account; an account with the same confirmed address that must be signed in to
 * first, since accounts are never merged by address alone; an address that must be confirmed by email; or a person who
 * may not sign up.
 */
export type Recognized =
  | { account: MatchedAccount }
  | { prove: string }
  | { confirm: string | undefined }
  | { notAdmitted: true };

/** Recognizes a person in the sign-in `interaction`. Creates an account for a new person with a confirmed address. */
export async function recognize(
  services: Services,
  interaction: string,
  person: UpstreamPerson,
  doer: AccountDoer,
): Promise<Recognized> {
  const { email } = person;
  const result = await services.database.global(async (tx): Promise<Recognized> => {
    const owner = await maybeOwner(tx, person);
    if (owner) {
      await refreshIdentity(services, tx, owner.id, person);
      return { account: owner };
    }
    if (email === undefined || !person.emailVerified) {
      await keepPending(tx, interaction, person);
      return { confirm: email };
    }
    const account = await claimAddress(services, tx, { email, name: person.name });
    if (!account) return { notAdmitted: true };
    if (account.verified) {
      await keepPending(tx, interaction, person);
      return { prove: email };
    }
    await openAccount(services, tx, { accountId: account.id, person, doer });
    return { account: { id: account.id, email } };
  });
  if (('prove' in result || 'confirm' in result) && email !== undefined) {
    const owner = await ownerOfAddress(services, email);
    const reason = 'prove' in result ? 'login not connected' : 'unconfirmed address';
    await noteRefusal(services, { accountIds: [owner], doer, reason, connection: person.connection });
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
  { accountId, person, doer }: { accountId: string; person: UpstreamPerson; doer: AccountDoer },
): Promise<void> {
  await tx.db.updateTable('account').set({ name: person.name }).where('id', '=', accountId).execute();
  await confirmOwner(tx, accountId);
  await recordForAccount(tx, {
    people: services.people,
    accountId,
    doer: { ...doer, accountId },
    entry: { action: 'account.created', data: { connection: person.connection } },
  });
  await attachIdentity(services, tx, { accountId, person, doer: { ...doer, accountId }, how: 'quietly' });
}

/**
 * Connects the pending external login of a sign-in after the account of the same address authenticated in it. Excludes
 * accounts with a second factor, which has not been verified yet: their owners connect the login in the account
 * settings.
 */
export const connectPending = (services: Services, interaction: string, account: MatchedAccount, doer: AccountDoer) =>
  services.database.global(async (tx) => {
    const pending = await pendingOf(tx, interaction);
    if (!pending?.person.emailVerified || pending.person.email !== account.email.toLowerCase()) return;
    if (hasAny(await findOwnFactors(tx, account.id))) return;
    const person = await takePending(tx, pending.id);
    if (person)
      await attachIdentity(services, tx, { accountId: account.id, person, doer: { ...doer, accountId: account.id } });
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
