import type { RepositoryImport } from '@sightline/contract/sources/repositories.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { InstallationKey } from '../installations/queries.ts';
import { findEnabledRepository, type RepositoryKey } from '../repositories/queries.ts';
import { recordGap, retryGaps } from './gap-jobs.ts';
import { type ImportJob, type ImportProgress, importQueueOf } from './progress.ts';
import { countGaps, repositoryImportFrom } from './queries.ts';

export { recordGap };

declare module '#core/jobs.ts' {
  interface JobData {
    'repository.import': { orgId: string; repositoryId: string };
    /** Imports what each commit changed, after commits and pull requests of all repositories. */
    'repository.files': { orgId: string; repositoryId: string };
  }
}

/**
 * Queues the import of the history of a repository. A completed import restarts, a failed one continues where it
 * stopped, and a waiting one runs now.
 */
export async function queueImport(services: Services, tx: Tx, orgId: string, repositoryId: string): Promise<void> {
  await tx.db
    .insertInto('repository_import')
    .values({ org_id: orgId, repository_id: repositoryId, state: 'queued', phase: 'commits' })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'repository_id'])
        .doUpdateSet({
          state: 'queued',
          phase: sql`case repository_import.state when 'done' then 'commits' else repository_import.phase end`,
          cursor: sql`case repository_import.state when 'done' then '{}' else repository_import.cursor end`,
          error: null,
          attempts: 0,
          waiting_until: null,
          started_at: null,
          finished_at: null,
          updated_at: new Date(),
        })
        .where('repository_import.state', 'in', ['done', 'failed', 'queued']),
    )
    .execute();
  await enqueueImport(services, tx, { orgId, repositoryId }, {});
}

/** Continues the failed imports of an installation, for example after its rejected token was replaced. */
export async function queueFailedImports(
  services: Services,
  tx: Tx,
  orgId: string,
  { provider, installationId }: InstallationKey,
): Promise<void> {
  const failed = await tx.db
    .selectFrom('repository_import as i')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'i.org_id').onRef('r.id', '=', 'i.repository_id'),
    )
    .where('i.org_id', '=', orgId)
    .where('i.state', '=', 'failed')
    .where('r.provider', '=', provider)
    .where('r.installation_id', '=', installationId)
    .where('r.tracked', '=', true)
    .where('r.removed_at', 'is', null)
    .select('i.repository_id')
    .execute();
  for (const { repository_id: repositoryId } of failed) await queueImport(services, tx, orgId, repositoryId);
}

/** Queues the next run of an import in the phase where it stopped. */
export const enqueueImport = (
  services: Services,
  tx: Tx,
  { orgId, repositoryId }: ImportJob,
  { phase = 'commits', startAfter }: { phase?: ImportProgress['phase']; startAfter?: Date | undefined },
): Promise<void> => {
  const isLater = startAfter !== undefined && startAfter.getTime() > Date.now();
  return services.jobs.enqueue(
    tx,
    importQueueOf(phase),
    { orgId, repositoryId },
    // A separate key, so that jobs that are due now do not wait behind a later one.
    { key: isLater ? `${repositoryId} later` : repositoryId, ...(isLater && { startAfter }) },
  );
};

/** Queues unfinished imports again, for example after a crash. The lock of a running import prevents a second one. */
export async function resumeImports(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('repository_import')
    .where('org_id', '=', orgId)
    .where('state', 'in', ['queued', 'running', 'rate_limited'])
    .select(['repository_id', 'phase', 'waiting_until'])
    .execute();
  for (const { repository_id: repositoryId, phase, waiting_until: until } of rows) {
    const continuation = { phase: phase as ImportProgress['phase'], startAfter: until ?? undefined };
    await enqueueImport(services, tx, { orgId, repositoryId }, continuation);
  }
}

/**
 * Retries an import on request. A failed import continues where it stopped. A completed import retries its missing
 * items, or restarts if none are missing.
 */
export function retryImportOf(services: Services, actor: Actor, key: RepositoryKey): Promise<RepositoryImport> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    const repositoryId = await findEnabledRepository(tx, actor, key);
    const before = await findImport(tx, actor.orgId, repositoryId);
    if (before?.state !== 'done' || before.missing === 0) await queueImport(services, tx, actor.orgId, repositoryId);
    await retryGaps(services, tx, { orgId: actor.orgId, repositoryId });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: actor.orgId,
      actor,
      entry: {
        action: 'repository.import_requested',
        subject: { kind: 'repository', id: repositoryId },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgRepos', { repositoryId }));
    return repositoryImportFrom((await findImport(tx, actor.orgId, repositoryId)) ?? never());
  });
}

async function findImport(tx: Tx, orgId: string, repositoryId: string) {
  const row = await tx.db
    .selectFrom('repository_import')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .selectAll()
    .executeTakeFirst();
  return row && { ...row, missing: await countGaps(tx, orgId, repositoryId) };
}

const never = (): never => {
  throw new Error('queueImport writes the import');
};
