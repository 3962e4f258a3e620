import {
  type AccessKey,
  type createAccessKey,
  type createPersonalKey,
  MAX_PERSONAL_KEYS,
  MCP_KEY_DAYS,
} from '@sightline/contract/identity/access-keys.ts';
import { type InsertObject, sql } from 'kysely';
import type { z } from 'zod';
import { newAccessKey } from '#core/access-keys.ts';
import type { Actor } from '#core/actor.ts';
import { type AuditEntry, recordAuditEntry } from '#core/audit.ts';
import { Archived, Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { lockOrganization, requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tables, Tx } from '#database/database.ts';
import { findKey, listKeysOfMember } from './queries.ts';

const maxActive = 100;

/**
 * Creates an access key and returns its secret, which is shown only once. Throws `conflict` at the limit of a hundred
 * keys.
 */
export function createKey(
  services: Services,
  actor: Actor,
  { name, use, repositoryId, days }: z.output<typeof createAccessKey.body>,
): Promise<{ key: string; accessKey: AccessKey }> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    await checkCount(tx, actor.orgId);
    if (use !== 'sarif' && repositoryId !== null) throw Invalid('repositoryId', 'applies only to SARIF uploads');
    const repository = repositoryId === null ? undefined : await maybeEnabled(tx, actor.orgId, repositoryId);
    if (repositoryId !== null && repository === undefined) {
      throw Invalid('repositoryId', 'is not an enabled repository');
    }
    return insertKey(services, tx, actor, {
      values: {
        name,
        use,
        repository_id: repositoryId,
        expires_at: expiryAfter(days),
      },
      data: {
        name,
        use,
        ...(use === 'sarif' && { repository: repository ?? 'every enabled one' }),
        ...(days !== null && { days }),
      },
    });
  });
}

/**
 * Creates a key for an agent of the actor and returns its secret, which is shown only once. Throws `conflict` at the
 * limit of ten keys.
 */
export function createKeyOfMember(
  services: Services,
  actor: Actor,
  { name, use }: z.output<typeof createPersonalKey.body>,
): Promise<{ key: string; accessKey: AccessKey }> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    await requireActiveOrganization(tx, actor);
    if ((await listKeysOfMember(tx, actor.orgId, actor.accountId)).length >= MAX_PERSONAL_KEYS) {
      throw Conflict(`The limit of ${MAX_PERSONAL_KEYS} personal access keys is reached. Revoke unused ones.`);
    }
    const days = use === 'mcp' ? MCP_KEY_DAYS : null;
    return insertKey(services, tx, actor, {
      values: { name, use, account_id: actor.accountId, expires_at: expiryAfter(days) },
      data: { name, use, personal: true, ...(days !== null && { days }) },
    });
  });
}

const expiryAfter = (days: number | null) => (days === null ? null : sql<Date>`now() + make_interval(days => ${days})`);

async function insertKey(
  services: Services,
  tx: Tx,
  actor: Actor,
  {
    values,
    data,
  }: {
    values: Partial<InsertObject<Tables, 'access_key'>> & { name: string; use: string };
    data: NonNullable<AuditEntry['data']>;
  },
): Promise<{ key: string; accessKey: AccessKey }> {
  const { orgId, accountId } = actor;
  const id = newId();
  const { key, hash } = newAccessKey(orgId);
  await tx.db
    .insertInto('access_key')
    .values({ ...values, org_id: orgId, id, hash, key_end: key.slice(-4), created_by: accountId })
    .execute();
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: { action: 'access_key.created', subject: { kind: 'access_key', id }, data },
  });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgSettings', {}));
  return { key, accessKey: await findKey(tx, orgId, id) };
}

/** Revokes a key of the organization or of any member at once. A key that is already revoked remains unchanged. */
export function revokeKey(services: Services, actor: Actor, id: string): Promise<null> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    return revoke(services, tx, actor, { id });
  });
}

/** Revokes a key of the actor. Throws 404 for any other key. */
export function revokeKeyOfMember(services: Services, actor: Actor, id: string): Promise<null> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    await requireActiveOrganization(tx, actor);
    return revoke(services, tx, actor, { id, accountId: actor.accountId });
  });
}

async function revoke(
  services: Services,
  tx: Tx,
  actor: Actor,
  { id, accountId }: { id: string; accountId?: string },
): Promise<null> {
  const row = await tx.db
    .selectFrom('access_key')
    .select(['name', 'revoked_at'])
    .where('org_id', '=', actor.orgId)
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw NotFound('Access key');
  if (row.revoked_at !== null) return null;
  await tx.db
    .updateTable('access_key')
    .set({ revoked_at: sql<Date>`now()` })
    .where('org_id', '=', actor.orgId)
    .where('id', '=', id)
    .execute();
  await recordAuditEntry(tx, {
    people: services.people,
    orgId: actor.orgId,
    actor,
    entry: { action: 'access_key.revoked', subject: { kind: 'access_key', id }, data: { name: row.name } },
  });
  tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgSettings', {}));
  return null;
}

async function requireActiveOrganization(tx: Tx, actor: Actor): Promise<void> {
  const { archivedAt } = await lockOrganization(tx, actor);
  if (archivedAt !== null) throw Archived();
}

async function checkCount({ db }: Tx, orgId: string): Promise<void> {
  const { active } = await db
    .selectFrom('access_key')
    .where('org_id', '=', orgId)
    .where('account_id', 'is', null)
    .where('revoked_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .executeTakeFirstOrThrow();
  if (Number(active) >= maxActive) {
    throw Conflict(`The limit of ${maxActive} access keys is reached. Revoke unused ones.`);
  }
}

const maybeEnabled = async ({ db }: Tx, orgId: string, id: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('repository')
      .select('full_name')
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .where('tracked', '=', true)
      .executeTakeFirst()
  )?.full_name;
