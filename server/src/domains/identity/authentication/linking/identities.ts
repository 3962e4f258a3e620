import { sql } from 'kysely';
import { type AccountDoer, recordForAccount } from '#core/account-audit.ts';
import type { Name } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { UpstreamPerson } from '#providers/upstream/upstream.ts';
import { lockAccount } from '../account-lock.ts';
import { enqueueMail } from '../jobs.ts';
import { claimNames } from './people.ts';
import { createTicket } from './tickets.ts';

/** The account an identity belongs to, with its address; undefined for an identity nobody has. */
export const maybeOwner = ({ db }: Tx, { connection, subject }: Pick<UpstreamPerson, 'connection' | 'subject'>) =>
  db
    .selectFrom('account_identity as i')
    .innerJoin('account as a', 'a.id', 'i.account_id')
    .select(['a.id', 'a.email'])
    .where('i.connection', '=', connection)
    .where('i.subject', '=', subject)
    .where('a.email_verified_at', 'is not', null)
    .executeTakeFirst();

/**
 * Gives an account an identity that nobody has: from now on it opens the account. Its owner hears of it by mail, but for a new account.
 * False when somebody was faster.
 */
export async function attachIdentity(
  services: Services,
  tx: Tx,
  {
    accountId,
    person,
    doer,
    how = 'by mail',
  }: { accountId: string; person: UpstreamPerson; doer: AccountDoer; how?: 'quietly' | 'by mail' | undefined },
): Promise<boolean> {
  const { connection, subject, provider } = person;
  await lockAccount(tx, accountId);
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('account_identity')
    .values({ connection, subject, provider, account_id: accountId, profile: JSON.stringify(person.profile) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await takeProfile(services, tx, accountId, person);
  await recordForAccount(tx, {
    people: services.people,
    accountId,
    doer,
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
 * Connects an identity to the account that asked for it: done, taken by another account meanwhile, or a ticket for a sign-in
 * to the other account that it opens.
 */
export const connectIdentity = (
  services: Services,
  doer: AccountDoer & { accountId: string },
  person: UpstreamPerson,
  path: string,
): Promise<string> =>
  services.database.global(async (tx) => {
    const { accountId } = doer;
    const owner = await maybeOwner(tx, person);
    if (owner?.id === accountId) return 'connected';
    if (owner) return createTicket(tx, { accountId, connection: person.connection, path });
    return (await attachIdentity(services, tx, { accountId, person, doer })) ? 'connected' : 'taken';
  });

/** Takes what an upstream says at a later sign-in: names and addresses change there. */
export async function refreshIdentity(services: Services, tx: Tx, accountId: string, person: UpstreamPerson) {
  await lockAccount(tx, accountId);
  await tx.db
    .updateTable('account_identity')
    .set({ profile: JSON.stringify(person.profile) })
    .where('connection', '=', person.connection)
    .where('subject', '=', person.subject)
    .execute();
  await takeProfile(services, tx, accountId, person);
}

/** Takes an identity away from its account. What was attributed to the person under its names stays theirs. */
export async function detachIdentity(tx: Tx, accountId: string, connection: string, subject: string): Promise<boolean> {
  const gone = await tx.db
    .deleteFrom('account_identity')
    .where('account_id', '=', accountId)
    .where('connection', '=', connection)
    .where('subject', '=', subject)
    .returning('provider')
    .executeTakeFirst();
  if (gone?.provider === 'github') await chooseGithub(tx, accountId);
  return gone !== undefined;
}

/** The account shows the GitHub identity it had first. */
export const chooseGithub = (tx: Tx, accountId: string): Promise<unknown> =>
  tx.db
    .updateTable('account')
    .set({
      github_login: sql`(select profile->>'nickname' from account_identity where account_id = ${accountId} and provider = 'github' order by created_at, subject limit 1)`,
      github_name: sql`(select profile->>'name' from account_identity where account_id = ${accountId} and provider = 'github' order by created_at, subject limit 1)`,
    })
    .where('id', '=', accountId)
    .execute();

async function takeProfile(services: Services, tx: Tx, accountId: string, person: UpstreamPerson): Promise<void> {
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
  if (person.provider === 'github') await chooseGithub(tx, accountId);
  const fresh = verifiedEmails.filter((email) => !before.some((row) => row.email === email));
  const login = person.provider === 'github' && person.login !== undefined && person.login !== known;
  const names: Name[] = [
    ...(login && person.login !== undefined
      ? [{ kind: 'github', value: person.login, hostId: person.subject } as const]
      : []),
    ...fresh.map((value) => ({ kind: 'email', value }) as const),
  ];
  await claimNames(services, tx, accountId, names);
}
