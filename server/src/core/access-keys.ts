import type { AccessKeyUse } from '@sightline/contract/core/access-key-uses.ts';
import { accessKeyPrefix } from '@sightline/contract/identity/access-keys.ts';
import type { Database, Tx } from '#database/database.ts';
import { ATTEMPT_LIMITS, countAttempts } from './attempts.ts';
import { Refusal, Unauthenticated } from './errors.ts';
import { createOrgSecret, organizationOfSecret, type SecretKind, secretHash } from './org-secrets.ts';

/** A machine that calls the API with an access key, for an organization and not for a member. */
export interface KeyActor {
  accessKey: {
    id: string;
    /** The display name of the key: `CI (…x7Qa)`. */
    label: string;
    /** The only repository that the key may access; null for every enabled repository. */
    repositoryId: string | null;
  };
  /** The member whose key it is; null for a key of the organization. */
  member: { accountId: string; personId: string } | null;
  orgId: string;
  /** The organization is archived, so that the key may only read. */
  archived: boolean;
  requestId: string;
  address: string | undefined;
}

export const isKeyActor = (actor: object): actor is KeyActor => 'accessKey' in actor;

export const isAccessKey = (token: string): boolean => token.startsWith(accessKeyPrefix);

const kind: SecretKind = { prefix: accessKeyPrefix, bytes: 24 };

/** Creates a key from its organization and a secret. Only the hash is stored. */
export function newAccessKey(orgId: string): { key: string; hash: Buffer } {
  const { secret: key, hash } = createOrgSecret(kind, orgId);
  return { key, hash };
}

/**
 * Authenticates a key. Throws the same 401 for an unknown, expired or revoked key, for one of another use, and for the key of a former or
 * deactivated member. Queries the database on each call, so that a revocation takes effect at once.
 */
export async function authenticateAccessKey(
  database: Database,
  { key, use }: { key: string; use: AccessKeyUse },
  request: { id: string; ip: string },
): Promise<KeyActor> {
  const orgId = organizationOfSecret(kind, key);
  if (orgId === undefined) throw Unauthenticated();
  return database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{
      id: string;
      name: string;
      key_end: string;
      repository_id: string | null;
      archived: boolean;
      account_id: string | null;
      person_id: string | null;
    }>({
      name: 'access-keys.find',
      text: `select k.id, k.name, k.key_end, k.repository_id, o.archived_at is not null as archived, k.account_id, i.person_id
             from access_key k join organization o on o.id = k.org_id
             left join identity i on i.org_id = k.org_id and i.kind = 'account' and i.value = k.account_id::text
             where k.org_id = $1 and k.hash = $2 and k.use = $3 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
               and (k.account_id is null or i.person_id is not null and exists (
                 select from member m where m.org_id = $1 and m.account_id = k.account_id and m.status <> 'deactivated'))`,
      values: [orgId, secretHash(key), use],
    });
    if (!row) throw Unauthenticated();
    const { account_id: accountId, person_id: personId } = row;
    return {
      accessKey: { id: row.id, label: labelOf(row.name, row.key_end), repositoryId: row.repository_id },
      member: accountId === null || personId === null ? null : { accountId, personId },
      orgId,
      archived: row.archived,
      requestId: request.id,
      address: request.ip,
    };
  });
}

/** Records the use of a key. Throws 429 over the rate limit. */
export async function recordKeyUse(tx: Tx, { orgId, accessKey }: KeyActor): Promise<void> {
  const wait = await countAttempts(tx, [[ATTEMPT_LIMITS.accessKey, accessKey.id]]);
  if (wait > 0) {
    throw new Refusal(
      'rate_limited',
      'Rate limit of this access key exceeded. Wait a moment and try again.',
      {},
      { retryAfter: wait },
    );
  }
  await markKeyUsed(tx, { orgId, accessKey });
}

/** Records the time of the last use of a key, to the minute. */
export const markKeyUsed = (
  tx: Tx,
  { orgId, accessKey: { id } }: Pick<KeyActor, 'orgId' | 'accessKey'>,
): Promise<unknown> =>
  tx.query({
    name: 'access-keys.used',
    text: `update access_key set last_used_at = now()
           where org_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    values: [orgId, id],
  });

const labelOf = (name: string, end: string) => `${name} (…${end})`;
