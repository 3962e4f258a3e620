import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#database/database.ts';
import type { DirectClaims, DirectIssuer } from '#providers/upstream/direct.ts';
import { Forbidden } from './errors.ts';
import { newId } from './ids.ts';
import { mayRegister, registrationRule } from './registration.ts';
import type { Services } from './services.ts';
import { remembering, type VerifyToken } from './tokens.ts';

/** The connection under which an outside issuer's people are kept. */
const connection = 'direct';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Takes the tokens of an outside issuer. Its people are accounts here, by its own id of them; what they may do comes
 * from their membership here and from no claim. An account is made at the first good token with a confirmed address.
 */
export const createDirectVerifier = (
  issuer: DirectIssuer,
  services: Pick<Services, 'config' | 'database'>,
): VerifyToken =>
  remembering(async (token) => {
    const { database } = services;
    const claims = await issuer.verify(token);
    if (!claims) return undefined;
    const account = (await maybeAccount(database, claims.subject)) ?? (await admit(issuer, services, token, claims));
    const session = claims.session === undefined ? undefined : await visitSession(database, account.id, claims);
    if (session?.ended) return undefined;
    const { organization, expiresAt } = claims;
    const orgId = organization !== undefined && uuid.test(organization) ? organization : undefined;
    return { accountId: account.id, email: account.email, orgId, sessionId: session?.id, expiresAt };
  });

/** The session of ours that stands for one of the issuer: ended here, none of its tokens is good any more. */
async function visitSession(
  { global }: Database,
  accountId: string,
  { session = '', authenticatedAt = 0 }: DirectClaims,
): Promise<{ id: string | undefined; ended: boolean }> {
  const uid = `${connection}:${hash('sha256', session)}`;
  const row = await global(({ db }) =>
    db
      .insertInto('account_session')
      .values({
        id: newId(),
        uid,
        account_id: accountId,
        user_agent: '',
        authenticated_at: sql<Date>`to_timestamp(${authenticatedAt})`,
      })
      .onConflict((conflict) =>
        conflict
          .column('uid')
          // A sign-in repeated at the issuer keeps its session and has a later `auth_time`.
          .doUpdateSet({
            last_seen_at: sql`now()`,
            authenticated_at: sql`greatest(account_session.authenticated_at, excluded.authenticated_at)`,
          })
          .where('account_session.account_id', '=', accountId),
      )
      .returning(['id', 'ended_at'])
      .executeTakeFirst(),
  );
  return { id: row?.id, ended: row === undefined || row.ended_at !== null };
}

const maybeAccount = ({ global }: Database, subject: string) =>
  global(({ db }) =>
    db
      .selectFrom('account_identity as i')
      .innerJoin('account as a', 'a.id', 'i.account_id')
      .select(['a.id', 'a.email'])
      .where('i.connection', '=', connection)
      .where('i.subject', '=', subject)
      .where('a.email_verified_at', 'is not', null)
      .executeTakeFirst(),
  );

async function admit(
  issuer: DirectIssuer,
  { config, database }: Pick<Services, 'config' | 'database'>,
  token: string,
  claims: DirectClaims,
) {
  const { email, emailVerified, name } = claims.email === undefined ? await issuer.askWho(token) : claims;
  if (email === undefined || !emailVerified) {
    throw Forbidden('Your identity provider did not confirm your email address. Confirm it there, then sign in again.');
  }
  return database.global(async (tx) => {
    const { db } = tx;
    if (!(await mayRegister({ config }, tx, email))) throw Forbidden(registrationRule(config) ?? '');
    await db
      .insertInto('account')
      .values({ id: newId(), email, name: name ?? email })
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
      .execute();
    const account = await db
      .selectFrom('account as a')
      .select(['a.id', 'a.email', 'a.email_verified_at'])
      .select(
        sql<boolean>`exists (select from account_password w where w.account_id = a.id)
          or exists (select from account_identity i where i.account_id = a.id)`.as('taken'),
      )
      .where(sql<boolean>`lower(a.email) = ${email}`)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // Whoever has another way in proved that way; the same address alone opens nothing.
    if (account.email_verified_at && account.taken) {
      throw Forbidden('An account with your address belongs to another login. Ask the operator to link them.');
    }
    await db.deleteFrom('account_password').where('account_id', '=', account.id).execute();
    await db.updateTable('account').set({ email_verified_at: sql`now()` }).where('id', '=', account.id).execute();
    await db
      .insertInto('account_identity')
      .values({ connection, subject: claims.subject, provider: 'oidc', account_id: account.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return account;
  });
}
