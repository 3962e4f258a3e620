import type { AccessKey, createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { newAccessKey } from '#core/access-keys.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findKey } from './queries.ts';

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
    const id = newId();
    const { key, hash } = newAccessKey(actor.orgId);
    await tx.db
      .insertInto('access_key')
      .values({
        org_id: actor.orgId,
        id,
        name,
        use,
        repository_id: repositoryId,
        hash,
        key_end: key.slice(-4),
        created_by: actor.accountId,
        expires_at: days === null ? null : sql<Date>`now() + make_interval(days => ${days})`,
      })
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: 'access_key.created',
        subject: { kind: 'access_key', id },
        data: {
          name,
          use,
          ...(use === 'sarif' && { repository: repository ?? 'every enabled one' }),
          ...(days !== null && { days }),
        },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgSettings', {}));
    return { key, accessKey: await findKey(tx, actor.orgId, id) };
  });
}

/** Revokes a key at once. A key that is already revoked remains unchanged. */
export function revokeKey(services: Services, actor: Actor, id: string): Promise<null> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    const row = await tx.db
      .selectFrom('access_key')
      .select(['name', 'revoked_at'])
      .where('org_id', '=', actor.orgId)
      .where('id', '=', id)
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
      entry: {
        action: 'access_key.revoked',
        subject: { kind: 'access_key', id },
        data: { name: row.name },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgSettings', {}));
    return null;
  });
}

async function checkCount({ db }: Tx, orgId: string): Promise<void> {
  const { active } = await db
    .selectFrom('access_key')
    .where('org_id', '=', orgId)
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
