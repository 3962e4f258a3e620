import type { allowMissingClasses } from '@sightline/contract/vulnerabilities/scans.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import { findEnabledRepository, type RepositoryKey } from '../../sources/repositories/queries.ts';

/** Sets whether a scanner's missing classes prevent findings from becoming fixed. Imported scans do not change. */
export const setMissingClasses = (
  services: Services,
  actor: Actor,
  key: RepositoryKey,
  { tool, allowed }: z.output<typeof allowMissingClasses.body>,
): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    const repositoryId = await findEnabledRepository(tx, actor, key);
    const row = { org_id: orgId, repository_id: repositoryId, tool };
    const changed = allowed
      ? await tx.db
          .insertInto('missing_classes_allowed')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('tool')
          .executeTakeFirst()
      : await tx.db
          .deleteFrom('missing_classes_allowed')
          .where('org_id', '=', orgId)
          .where('repository_id', '=', repositoryId)
          .where('tool', '=', tool)
          .returning('tool')
          .executeTakeFirst();
    if (!changed) return null;
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'repository.missing_classes_changed',
        subject: { kind: 'repository', id: repositoryId },
        data: { tool, before: { allowed: !allowed }, after: { allowed } },
      },
    });
    return null;
  });
