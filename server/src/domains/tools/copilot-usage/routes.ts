import { exportCopilotUsage, getCopilotUsage, readCopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { queueCopilotReading } from './commands.ts';
import { exportUsage } from './export.ts';
import { findUsage, listSourceIds } from './queries.ts';

export function copilotUsageRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, getCopilotUsage, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => findUsage(tx, actor, query)),
  );
  route(app, services, exportCopilotUsage, ({ actor, query }) => exportUsage(services, actor, query));
  route(app, services, readCopilotUsage, ({ actor }) => requestReading(services, actor));
}

/** Queues a reading of every source now. A reading that is already queued is not repeated. */
const requestReading = (services: Services, actor: Actor): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: { action: 'copilot_usage.reading_requested', subject: { kind: 'organization', id: orgId } },
    });
    for (const installationId of await listSourceIds(tx, orgId))
      await queueCopilotReading(services, tx, { orgId, installationId });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgAudit', {}));
    return null;
  });
