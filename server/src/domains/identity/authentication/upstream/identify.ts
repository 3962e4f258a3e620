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
 * Who came from an upstream: an account; or the owner of a confirmed address who has to prove it first, as nothing is
 * ever merged by address alone; or somebody who has to confirm an address by mail, or who may not
 * open an account.
 */
export type Recognized =
  | { account: MatchedAccount }
  | { prove: string }
  | { confirm: string | undefined }
  | { notAdmitted: true };

/** Recognizes a person in the sign-in `interaction`. The first one with a confirmed address of their own gets an account. */
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
 * Makes an account of an address that was just proved. Whoever signed up with it before and never confirmed loses the
 * password: it may be a stranger's.
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
 * Connects whoever waits in a sign-in, once the account of the same address proved itself in it. Not where the account
 * has a second factor, which is asked for later only: its owner connects the login in the account settings.
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
