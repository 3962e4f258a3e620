import {
  type Connection,
  type LoginIdentity,
  passwordConnection,
  profileData,
  type SimilarAccount,
  unlinkRefusalReason,
} from '@sightline/contract/identity/identities.ts';
import { isSamlConnection } from '@sightline/contract/identity/saml.ts';
import { sql } from 'kysely';
import type { AccountActor } from '#core/actor.ts';
import { Forbidden } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import type { Upstreams } from '#providers/upstream/upstreams.ts';
import { beganWithIdentity, identityId } from '../login-methods.ts';

/** The sign-in methods of this server, the password last. */
export const listSignInConnections = (upstreams: Upstreams): Connection[] => [
  ...[...upstreams.values()].map(({ connection, label, kind, sandbox }) => ({ connection, label, kind, sandbox })),
  { connection: passwordConnection, label: passwordLabel, kind: 'password', sandbox: false },
];

const passwordLabel = 'Email / Password';

/** All sign-in methods of an account, the password first. */
export async function findIdentities(tx: Tx, actor: AccountActor, upstreams: Upstreams): Promise<LoginIdentity[]> {
  const password = await tx.db
    .selectFrom('account_password as w')
    .innerJoin('account as a', 'a.id', 'w.account_id')
    .select(['a.id', 'a.name', 'a.email'])
    .where('w.account_id', '=', actor.accountId)
    .executeTakeFirst();
  const linked = await tx.db
    .selectFrom('account_identity')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .orderBy('created_at')
    .orderBy('connection')
    .orderBy('subject')
    .execute();
  const all = [
    ...(password
      ? [
          {
            connection: passwordConnection,
            subject: password.id,
            provider: 'auth0',
            label: passwordLabel,
            profileData: { name: password.name, email: password.email },
            connectedAt: null,
          },
        ]
      : []),
    ...linked.map((row) => ({
      connection: row.connection,
      subject: row.subject,
      provider: row.provider,
      label:
        upstreams.get(row.connection)?.label ?? (isSamlConnection(row.connection) ? 'Single sign-on' : row.connection),
      profileData: profileData.parse(row.profile),
      connectedAt: row.created_at.toISOString(),
    })),
  ];
  const amr = await loginOf(tx, actor);
  return all.map(({ subject, ...identity }) => {
    const usedForLogin = beganWithIdentity(amr, { connection: identity.connection, subject });
    return {
      ...identity,
      id: identityId({ connection: identity.connection, subject }),
      user_id: subject,
      usedForLogin,
      blocked: unlinkRefusalReason(usedForLogin, all.length),
    };
  });
}

/** The sign-in method of the session of a token; empty without a session. */
async function loginOf({ db }: Tx, { sessionId }: AccountActor): Promise<string[]> {
  if (sessionId === undefined) return [];
  const row = await db
    .selectFrom('account_session as s')
    .innerJoin('oidc_payload as p', (join) => join.onRef('p.uid', '=', 's.uid').on('p.model', '=', 'Session'))
    .select(sql<string[] | null>`p.payload -> 'amr'`.as('amr'))
    .where('s.id', '=', sessionId)
    .executeTakeFirst();
  return row?.amr ?? [];
}

/**
 * Other accounts that share a confirmed address with this account or one of its identities. Addresses are masked: the
 * caller has the shared address, but must not learn other details of the account.
 */
export async function findSimilarAccounts(tx: Tx, accountId: string): Promise<SimilarAccount[]> {
  const own = await tx.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst();
  if (!own) throw Forbidden('Confirm your email address first.');
  const rows = await tx.query<{ connection: string; email: string }>({
    name: 'linking.similar',
    text: `
      with mine as (
        select lower(email) as email from account where id = $1
        union select e.email from account_identity i join account_identity_email e using (connection, subject) where i.account_id = $1)
      select distinct on (a.id) a.email,
        coalesce((select i.connection from account_identity i where i.account_id = a.id order by i.created_at, i.connection limit 1), $2) as connection
      from account a
      where a.id <> $1 and a.email_verified_at is not null and a.merged_at is null and (
        lower(a.email) in (select email from mine)
        or exists (select from account_identity i join account_identity_email e using (connection, subject)
                   where i.account_id = a.id and e.email in (select email from mine)))
      order by a.id limit 20`,
    values: [accountId, passwordConnection],
  });
  return rows.map(({ connection, email }) => ({ connection, email: masked(email) }));
}

/** Masks an address as `a***@e***.org`, which its owner can recognize. */
function masked(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const dot = domain.lastIndexOf('.');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${dot > 0 ? domain.slice(dot) : ''}`;
}
