import { passwordConnection } from '@sightline/contract/identity/identities.ts';
import { sql } from 'kysely';
import { forEachOrganizationOfAccount, recordAccountChange } from '#core/account-audit.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { acceptsLogin } from '#core/session-policy.ts';
import type { Tx } from '#database/database.ts';
import { deviceNameOf } from '../sessions/queries.ts';
import { findSessionLogin, findSingleSignOn, listBreakGlassOwners } from '../sign-in-policy/queries.ts';
import { grantModel, grantUid } from './grants.ts';
import { identityIn, passwordLogin } from './login-methods.ts';

/** The origin of a request, as recorded in audit entries. */
export interface RequestOrigin {
  requestId: string;
  address: string;
  /** Such as 'Firefox 128 on Linux'; empty if unknown. */
  browser: string;
}

declare module '#core/jobs.ts' {
  interface JobData {
    'identity.sign-in-failed': RequestOrigin & { accountId: string };
  }
}

export const requestOriginOf = (request: {
  id: string;
  ip: string;
  headers: { 'user-agent'?: string | undefined };
}): RequestOrigin => ({
  requestId: request.id,
  address: request.ip,
  browser: deviceNameOf(request.headers['user-agent'] ?? ''),
});

const personalOf = ({ browser }: RequestOrigin) => (browser === '' ? {} : { personal: { browser } });

/**
 * Records the entry of an account to an organization: once per browser session, when the first token for the
 * organization is issued. Token renewals are not recorded.
 */
export async function recordSignIn(
  { database, people, realtime }: Services,
  { accountId, orgId, grantId, amr }: { accountId: string; orgId: string; grantId: string; amr: readonly string[] },
  origin: RequestOrigin,
): Promise<void> {
  await database.withOrg(orgId, async (tx) => {
    if (!(await isFirst(tx, grantId))) return;
    const person = await tx.db
      .selectFrom('identity')
      .select('person_id')
      .where('org_id', '=', orgId)
      .where('kind', '=', 'account')
      .where('value', '=', accountId)
      .executeTakeFirst();
    if (!person) return;
    const { requestId, address } = origin;
    const actor = { accountId, personId: person.person_id, requestId, address };
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: 'login.succeeded',
        subject: { kind: 'account', id: accountId },
        data: { connection: connectionOf(amr) },
        ...personalOf(origin),
      },
    });
    if (await isBreakGlass(tx, orgId, accountId, amr)) {
      const subject = { kind: 'account', id: accountId } as const;
      await recordAuditEntry(tx, {
        people,
        orgId,
        actor,
        entry: { action: 'login.break_glass_used', subject, ...personalOf(origin) },
      });
    }
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgAudit', {}));
  });
}

/** Whether a break-glass owner signed in without the required single sign-on. */
async function isBreakGlass(tx: Tx, orgId: string, accountId: string, amr: readonly string[]): Promise<boolean> {
  const sso = await findSingleSignOn(tx, orgId);
  if (!sso) return false;
  const owners = await listBreakGlassOwners(tx, orgId);
  return (
    owners.some(({ id }) => id === accountId) && !acceptsLogin({ sso }, await findSessionLogin(tx, identityIn(amr)))
  );
}

// The first token consumes the grant for this purpose. A grant that replaces an older one is never the first.
async function isFirst({ db }: Tx, grantId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oidc_payload as p')
    .set({ consumed_at: sql<Date>`now()` })
    .where('p.model', '=', grantModel)
    .where('p.id', '=', grantId)
    .where('p.consumed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oidc_payload as o')
            .whereRef('o.uid', '=', 'p.uid')
            .where('o.model', '=', grantModel)
            .where('o.consumed_at', 'is not', null)
            .select('o.id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The connection of a login without the subject, which would identify a person. */
function connectionOf(amr: readonly string[]): string {
  const upstream = identityIn(amr);
  if (upstream) return upstream.connection;
  return amr.includes(passwordLogin) || amr.length === 0 ? passwordConnection : (amr[0] ?? '');
}

/**
 * Records the sign-out in every organization that was entered in the session. Runs in the transaction that ends the
 * session.
 */
export async function recordSignOut(
  { people, realtime }: Services,
  tx: Tx,
  session: { uid: string; accountId: string; clientId: string },
  origin: RequestOrigin,
): Promise<void> {
  const { uid: sessionUid, accountId, clientId } = session;
  await forEachOrganizationOfAccount(tx, accountId, accountId, async ({ orgId, personId }) => {
    const entered = await tx.db
      .selectFrom('oidc_payload')
      .select('id')
      .where('model', '=', grantModel)
      .where('uid', '=', grantUid({ sessionUid, clientId, accountId, orgId }))
      .where('consumed_at', 'is not', null)
      .executeTakeFirst();
    if (!entered) return;
    const { requestId, address } = origin;
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor: { accountId, personId, requestId, address },
      entry: {
        action: 'login.ended',
        subject: { kind: 'account', id: accountId },
        ...personalOf(origin),
      },
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgAudit', {}));
  });
}

/**
 * Queues the record of a failed sign-in, also for an unknown address, so that the response time does not reveal whether
 * the address has an account.
 */
export const queueFailedSignIn = (
  { jobs, database }: Services,
  accountId: string | undefined,
  origin: RequestOrigin,
): Promise<void> =>
  database.global((tx) =>
    jobs.enqueue(tx, 'identity.sign-in-failed', { accountId: accountId ?? newId(), ...origin }, { key: newId() }),
  );

/** Records a failed sign-in for the account and in each of its organizations. */
export async function recordFailedSignIn(
  { database, people, realtime }: Services,
  { accountId, ...origin }: RequestOrigin & { accountId: string },
): Promise<void> {
  await database.global(async (tx) => {
    const account = await tx.db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
    if (!account) return;
    const { requestId, address } = origin;
    const unauthenticated = { accountId: undefined, requestId, address };
    const data = { connection: passwordConnection };
    await recordAccountChange(tx, {
      people,
      accountId,
      actor: unauthenticated,
      entry: { action: 'login.failed', data, ...personalOf(origin) },
    });
    await forEachOrganizationOfAccount(tx, accountId, undefined, async ({ orgId }) =>
      tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgAudit', {})),
    );
  });
}

/** Records a password reset by link. Runs in the transaction that changes the password. */
export const recordPasswordReset = (
  { people }: Services,
  tx: Tx,
  accountId: string,
  origin: RequestOrigin,
): Promise<void> => {
  const { requestId, address } = origin;
  return recordAccountChange(tx, {
    people,
    accountId,
    actor: { accountId, requestId, address },
    entry: {
      action: 'login.password_reset',
      ...personalOf(origin),
    },
  });
};
