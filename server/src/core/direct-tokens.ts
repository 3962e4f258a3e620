import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#database/database.ts';
import type { DirectClaims, DirectIssuer } from '#providers/upstream/direct.ts';
import { Forbidden } from './errors.ts';
import { newId } from './ids.ts';
import { mayRegister, registrationRule } from './registration.ts';
import type { Services } from './services.ts';
import { cacheVerifiedTokens, type VerifyToken } from './tokens.ts';

/** The connection of identities from an external issuer. */
const connection = 'direct';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Verifies tokens of an external issuer. Accounts are identified by the subject at the issuer; permissions come from
 * the membership here and from no claim. The first valid token with a confirmed address creates the account.
 */
export const createDirectVerifier = (
  issuer: DirectIssuer,
  services: Pick<Services, 'config' | 'database'>,
): VerifyToken =>
  cacheVerifiedTokens(async (token) => {
    const { database } = services;
    const claims = await issuer.verify(token);
    if (!claims) return undefined;
    const account = (await maybeAccount(database, claims.subject)) ?? (await register(issuer, services, token, claims));
    const session = claims.session === undefined ? undefined : await recordSessionVisit(database, account.id, claims);
    if (session?.ended) return undefined;
    const { organization, expiresAt } = claims;
    const orgId = organization !== undefined && uuid.test(organization) ? organization : undefined;
    return { accountId: account.id, email: account.email, orgId, sessionId: session?.id, expiresAt };
  });

/**
 * Records a visit to the session that represents a session of the issuer. After it was ended here, all tokens of that
 * session are rejected.
 */
async function recordSessionVisit(
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
          // A repeated sign-in at the issuer continues the session with a later `auth_time`.
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

async function register(
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
    // An account with another login is not opened by the same address alone.
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
