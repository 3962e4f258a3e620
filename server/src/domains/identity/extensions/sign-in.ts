import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type authorizeExtension,
  type ExtensionSignIn,
  programName,
  type redeemExtensionCode,
  type renewExtensionToken,
} from '@sightline/contract/identity/extensions.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { TooManyAttempts, Unauthenticated } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { createOrgSecret, organizationOfSecret, type SecretKind, secretHash } from '#core/org-secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { SignAccessToken } from './access-token.ts';
import { endGrants } from './commands.ts';
import { type EligibleMember, findEligibleMember, GRANT_UNUSED_DAYS } from './queries.ts';

const codeKind: SecretKind = { prefix: 'slc_', bytes: 16 };
const refreshKind: SecretKind = { prefix: 'slr_', bytes: 32 };
const codeSeconds = 60;

type AuthorizationRequest = z.output<typeof authorizeExtension.body>;

/** Creates a code for the extension that knows the secret of `codeChallenge`. Throws 429 over the rate limit. */
export function createAuthorizationCode(
  { database }: Services,
  { orgId, accountId }: Actor,
  { side, type, device, codeChallenge }: AuthorizationRequest,
): Promise<{ code: string; expiresAt: string }> {
  return database.withOrg(orgId, async (tx) => {
    const wait = await countAttempts(tx, [[ATTEMPT_LIMITS.extensionByAccount, accountId]]);
    if (wait > 0) throw TooManyAttempts(wait);
    // Deletes expired codes that were never redeemed.
    await tx.db
      .deleteFrom('extension_code')
      .where('org_id', '=', orgId)
      .where('expires_at', '<', sql<Date>`now()`)
      .execute();
    const { secret: code, hash } = createOrgSecret(codeKind, orgId);
    const { expires_at } = await tx.db
      .insertInto('extension_code')
      .values({
        org_id: orgId,
        hash,
        account_id: accountId,
        side,
        type,
        device,
        challenge: codeChallenge,
        expires_at: sql<Date>`now() + make_interval(secs => ${codeSeconds})`,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    return { code, expiresAt: expires_at.toISOString() };
  });
}

interface Caller {
  requestId: string;
  address: string;
}

/**
 * Signs an extension in with its code, which the first attempt consumes, even a wrong one. Throws the same 401 for an
 * invalid code, a wrong verifier and a member without access; 429 after too many attempts from a network.
 */
export async function redeemAuthorizationCode(
  services: Services,
  sign: SignAccessToken,
  caller: Caller,
  { code, codeVerifier, version }: z.output<typeof redeemExtensionCode.body>,
): Promise<ExtensionSignIn & { refreshToken: string }> {
  const orgId = organizationOfSecret(codeKind, code);
  if (orgId === undefined) return refuse(services, caller);
  // The transaction does not throw, so that the code is consumed in every case.
  const granted = await services.database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<Ticket & { account_id: string; challenge: string; fresh: boolean }>({
      name: 'extensions.redeem',
      text: `delete from extension_code where org_id = $1 and hash = $2
             returning account_id, side, type, device, challenge, expires_at > now() as fresh`,
      values: [orgId, secretHash(code)],
    });
    if (!row?.fresh || !isAnswer(codeVerifier, row.challenge)) return undefined;
    const entrant = await findEligibleMember(tx, orgId, row.account_id, { archived: false });
    if (!entrant) return undefined;
    const { grantId, refreshToken } = await insertGrant(tx, orgId, { accountId: row.account_id, ticket: row, version });
    const actor = { accountId: row.account_id, personId: entrant.personId, ...caller };
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'extension.signed_in',
        subject: { kind: 'account', id: row.account_id },
        data: { extension: grantId, side: row.side, program: programName(row.type) },
        ...(row.device !== '' && { personal: { device: row.device } }),
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgAudit', {}));
    return { grantId, refreshToken, accountId: row.account_id, entrant };
  });
  if (!granted) return refuse(services, caller);
  return { ...(await signInResult(sign, orgId, granted)), refreshToken: granted.refreshToken };
}

/** Counts an invalid secret against its network. Valid secrets are not limited by other clients of the network. */
async function refuse({ database }: Services, { address }: Caller): Promise<never> {
  const wait = await database.global((tx) =>
    countAttempts(tx, [[ATTEMPT_LIMITS.extensionByNetwork, networkOf(address)]]),
  );
  throw wait > 0 ? TooManyAttempts(wait) : Unauthenticated();
}

interface Ticket {
  side: string;
  type: string;
  device: string;
}

// RFC 7636: the challenge is the SHA-256 of the verifier.
const isAnswer = (verifier: string, challenge: string): boolean =>
  timingSafeEqual(
    createHash('sha256').update(createHash('sha256').update(verifier).digest('base64url')).digest(),
    createHash('sha256').update(challenge).digest(),
  );

async function insertGrant(
  { db }: Tx,
  orgId: string,
  {
    accountId,
    ticket: { side, type, device },
    version,
  }: { accountId: string; ticket: Ticket; version: string | undefined },
): Promise<{ grantId: string; refreshToken: string }> {
  const grantId = newId();
  const { secret: refreshToken, hash } = createOrgSecret(refreshKind, orgId);
  await db
    .insertInto('extension_grant')
    .values({
      org_id: orgId,
      id: grantId,
      account_id: accountId,
      side,
      type,
      device,
      version: version ?? null,
      hash,
      last_used_at: sql<Date>`now()`,
    })
    .execute();
  return { grantId, refreshToken };
}

/**
 * Issues the next access token of an extension. Throws the same 401 for an unknown, revoked or unused refresh token and
 * for a member who may no longer enter the organization. Throws 429 over the rate limit of the grant, and after too
 * many invalid tokens from a network.
 */
export async function renewAccessToken(
  services: Services,
  sign: SignAccessToken,
  caller: Caller,
  { refreshToken, version }: z.output<typeof renewExtensionToken.body>,
): Promise<ExtensionSignIn> {
  const orgId = organizationOfSecret(refreshKind, refreshToken);
  if (orgId === undefined) return refuse(services, caller);
  const granted = await services.database.withOrg(orgId, async (tx) => {
    const grant = await maybeGrant(tx, orgId, refreshToken);
    const entrant = grant && (await findEligibleMember(tx, orgId, grant.account_id, { archived: true }));
    if (!grant || !entrant) return undefined;
    const wait = await countAttempts(tx, [[ATTEMPT_LIMITS.extensionByGrant, grant.id]]);
    if (wait > 0) throw TooManyAttempts(wait);
    await recordUse(tx, orgId, grant.id, version);
    return { grantId: grant.id, accountId: grant.account_id, entrant };
  });
  return granted ? signInResult(sign, orgId, granted) : refuse(services, caller);
}

async function maybeGrant(tx: Tx, orgId: string, refreshToken: string) {
  const [row] = await tx.query<{ id: string; account_id: string }>({
    name: 'extensions.grant',
    text: `select id, account_id from extension_grant where org_id = $1 and hash = $2 and revoked_at is null
           and coalesce(last_used_at, created_at) > now() - make_interval(days => $3)`,
    values: [orgId, secretHash(refreshToken), GRANT_UNUSED_DAYS],
  });
  return row;
}

const recordUse = (tx: Tx, orgId: string, grantId: string, version: string | undefined) =>
  tx.query({
    name: 'extensions.used',
    text: `update extension_grant set last_used_at = now(), version = coalesce($3, version) where org_id = $1 and id = $2
           and (last_used_at is null or last_used_at < now() - interval '1 minute' or version is distinct from coalesce($3, version))`,
    values: [orgId, grantId, version ?? null],
  });

async function signInResult(
  sign: SignAccessToken,
  orgId: string,
  { grantId, accountId, entrant }: { grantId: string; accountId: string; entrant: EligibleMember },
): Promise<ExtensionSignIn> {
  const { name, email, organizationName } = entrant;
  return {
    ...(await sign({ grantId, accountId, email, orgId })),
    account: { id: accountId, name, email },
    organization: { id: orgId, displayName: organizationName },
  };
}

/** Signs an extension out with its own refresh token. Ignores an invalid or revoked token. */
export async function revokeRefreshToken(services: Services, caller: Caller, refreshToken: string): Promise<null> {
  const orgId = organizationOfSecret(refreshKind, refreshToken);
  if (orgId === undefined) return null;
  await services.database.withOrg(orgId, async (tx) => {
    const [grant] = await tx.query<{ account_id: string; person_id: string }>({
      name: 'extensions.revoke',
      text: `select g.account_id, i.person_id from extension_grant g
             join identity i on i.org_id = g.org_id and i.kind = 'account' and i.value = g.account_id::text
             where g.org_id = $1 and g.hash = $2 and g.revoked_at is null`,
      values: [orgId, secretHash(refreshToken)],
    });
    if (!grant) return;
    const actor = { accountId: grant.account_id, personId: grant.person_id, ...caller };
    await endGrants(services, tx, orgId, {
      actor,
      which: { accountId: grant.account_id, hash: secretHash(refreshToken) },
    });
  });
  return null;
}
