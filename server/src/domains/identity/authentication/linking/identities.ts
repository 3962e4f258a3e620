import { sql } from 'kysely';
import { type AccountAuditActor, recordAccountChange } from '#core/account-audit.ts';
import type { PersonName } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { IdentityProviderUser } from '#providers/upstream/upstream.ts';
import { lockAccount } from '../account-lock.ts';
import { enqueueMail } from '../jobs.ts';
import { claimNames } from './people.ts';
import { createTicket } from './tickets.ts';

/** The account of an identity, with its email address; undefined for an unconnected identity. */
export const findIdentityOwner = (
  { db }: Tx,
  { connection, subject }: Pick<IdentityProviderUser, 'connection' | 'subject'>,
) =>
  db
    .selectFrom('account_identity as i')
    .innerJoin('account as a', 'a.id', 'i.account_id')
    .select(['a.id', 'a.email'])
    .where('i.connection', '=', connection)
    .where('i.subject', '=', subject)
    .where('a.email_verified_at', 'is not', null)
    .executeTakeFirst();

/**
 * Connects an unconnected identity to an account, which it can sign in to from then on. Sends the owner an email unless
 * the account is new. Returns false if the identity was connected in the meantime.
 */
export async function attachIdentity(
  services: Services,
  tx: Tx,
  {
    accountId,
    person,
    actor,
    how = 'by mail',
  }: {
    accountId: string;
    person: IdentityProviderUser;
    actor: AccountAuditActor;
    how?: 'quietly' | 'by mail' | undefined;
  },
): Promise<boolean> {
  const { connection, subject, provider } = person;
  await lockAccount(tx, accountId);
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('account_identity')
    .values({ connection, subject, provider, account_id: accountId, profile: JSON.stringify(person.profile) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await storeProfile(services, tx, accountId, person);
  await recordAccountChange(tx, {
    people: services.people,
    accountId,
    actor,
    entry: {
      action: 'identity.linked',
      data: { connection },
      personal: { subject, ...(person.login !== undefined && { login: person.login }) },
    },
  });
  if (how === 'by mail') await enqueueMail(services, tx, { kind: 'notice', accountId, notice: 'identity-linked' });
  return true;
}

/**
 * Connects an identity to the requesting account. Returns `connected`, `taken` if another account received it in the
 * meantime, or a ticket to sign in to the account that it belongs to.
 */
export const connectIdentity = (
  services: Services,
  actor: AccountAuditActor & { accountId: string },
  person: IdentityProviderUser,
  path: string,
): Promise<string> =>
  services.database.global(async (tx) => {
    const { accountId } = actor;
    const owner = await findIdentityOwner(tx, person);
    if (owner?.id === accountId) return 'connected';
    if (owner) return createTicket(tx, { accountId, connection: person.connection, path });
    return (await attachIdentity(services, tx, { accountId, person, actor })) ? 'connected' : 'taken';
  });

/** Updates an identity at a later sign-in with the current profile and addresses of the identity provider. */
export async function refreshIdentity(services: Services, tx: Tx, accountId: string, person: IdentityProviderUser) {
  await lockAccount(tx, accountId);
  await tx.db
    .updateTable('account_identity')
    .set({ profile: JSON.stringify(person.profile) })
    .where('connection', '=', person.connection)
    .where('subject', '=', person.subject)
    .execute();
  await storeProfile(services, tx, accountId, person);
}

/** Disconnects an identity from its account. Contributions already attributed to the person remain attributed. */
export async function detachIdentity(tx: Tx, accountId: string, connection: string, subject: string): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('account_identity')
    .where('account_id', '=', accountId)
    .where('connection', '=', connection)
    .where('subject', '=', subject)
    .returning('provider')
    .executeTakeFirst();
  if (deleted?.provider === 'github') await refreshGithubProfile(tx, accountId);
  return deleted !== undefined;
}

/** Shows the oldest GitHub identity of the account. */
export const refreshGithubProfile = (tx: Tx, accountId: string): Promise<unknown> =>
  tx.db
    .updateTable('account')
    .set({
      github_login: sql`(select profile->>'nickname' from account_identity where account_id = ${accountId} and provider = 'github' order by created_at, subject limit 1)`,
      github_name: sql`(select profile->>'name' from account_identity where account_id = ${accountId} and provider = 'github' order by created_at, subject limit 1)`,
    })
    .where('id', '=', accountId)
    .execute();

async function storeProfile(
  services: Services,
  tx: Tx,
  accountId: string,
  person: IdentityProviderUser,
): Promise<void> {
  const { connection, subject, verifiedEmails } = person;
  const before = await tx.db
    .deleteFrom('account_identity_email')
    .where('connection', '=', connection)
    .where('subject', '=', subject)
    .returning('email')
    .execute();
  if (verifiedEmails.length > 0) {
    await tx.db
      .insertInto('account_identity_email')
      .values([...new Set(verifiedEmails)].map((email) => ({ connection, subject, email })))
      .execute();
  }
  await tx.db
    .updateTable('account')
    .set({ picture: sql`coalesce(picture, ${person.profile.picture ?? null})` })
    .where('id', '=', accountId)
    .execute();
  const { github_login: known } = await tx.db
    .selectFrom('account')
    .select('github_login')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (person.provider === 'github') await refreshGithubProfile(tx, accountId);
  const fresh = verifiedEmails.filter((email) => !before.some((row) => row.email === email));
  const login = person.provider === 'github' && person.login !== undefined && person.login !== known;
  const names: PersonName[] = [
    ...(login && person.login !== undefined
      ? [{ kind: 'github', value: person.login, hostId: person.subject } as const]
      : []),
    ...fresh.map((value) => ({ kind: 'email', value }) as const),
  ];
  await claimNames(services, tx, accountId, names);
}
