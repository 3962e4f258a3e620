import { randomBytes } from 'node:crypto';
import type { createStatusCheck as makeCall } from '@sightline/contract/sources/status-checks.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { statusCheckSecretLocation, statusCheckUrl } from './queries.ts';

const subject = { kind: 'installation', id: 'gitlab' } as const;

/** Creates the URL and secret of the status check and replaces existing ones. */
export const createStatusCheckHook = (services: Services, actor: Actor): Promise<z.output<typeof makeCall.response>> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    await requireOwner(tx, actor);
    const [id, secret, createdAt] = [newId(), randomBytes(32).toString('hex'), new Date()];
    const values = {
      id,
      secret: services.secrets.seal(statusCheckSecretLocation(orgId, id), Buffer.from(secret)),
      created_at: createdAt,
    };
    await tx.db
      .insertInto('status_check_hook')
      .values({ org_id: orgId, ...values })
      .onConflict((conflict) => conflict.column('org_id').doUpdateSet(values))
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: { action: 'integration.status_check_made', subject, data: {} },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: 'gitlab' }));
    return { address: statusCheckUrl(services.config.PUBLIC_URL, id), createdAt: createdAt.toISOString(), secret };
  });

/** Deletes the status check URL. Does nothing if there is none. */
export const deleteStatusCheckHook = (services: Services, actor: Actor): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    await requireOwner(tx, actor);
    const { numDeletedRows } = await tx.db
      .deleteFrom('status_check_hook')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return null;
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: { action: 'integration.status_check_removed', subject, data: {} },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: 'gitlab' }));
    return null;
  });
