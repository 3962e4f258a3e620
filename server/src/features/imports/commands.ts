import type { RepositoryImport } from '@sightline/contract/repositories.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findTracked, type RepositoryKey } from '../repositories/queries.ts';
import { importOf } from './queries.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'repository.import': { orgId: string; repositoryId: string };
  }
}

/**
 * Marks the history of a repository as wanted and queues its import: one that is done begins anew, one that failed goes on where
 * it stopped, and one that waits to be tried again is tried now.
 */
export async function queueImport(
  services: Services,
  tx: Tx,
  orgId: string,
  repositoryId: string,
  startAfter?: Date,
): Promise<void> {
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
          finished_at: null,
          updated_at: new Date(),
        })
        .where('repository_import.state', 'in', ['done', 'failed', 'queued']),
    )
    .execute();
  await enqueueImport(services, tx, orgId, repositoryId, startAfter);
}

export const enqueueImport = (services: Services, tx: Tx, orgId: string, repositoryId: string, startAfter?: Date) =>
  services.jobs.enqueue(
    tx,
    'repository.import',
    { orgId, repositoryId },
    // Another key than that of what is due at once, which must not wait behind it.
    { key: startAfter ? `${repositoryId} later` : repositoryId, ...(startAfter && { startAfter }) },
  );

/** Queues again what a crash may have left behind; an import that still runs elsewhere keeps the second one out. */
export async function resumeImports(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.db
    .selectFrom('repository_import')
    .where('org_id', '=', orgId)
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .select(['repository_id', 'waiting_until'])
    .execute();
  for (const row of rows) await enqueueImport(services, tx, orgId, row.repository_id, row.waiting_until ?? undefined);
}

/** Starts an import over by hand, after a failure or for good measure. */
export function retryImportOf(services: Services, actor: Actor, key: RepositoryKey): Promise<RepositoryImport> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    const repositoryId = await findTracked(tx, actor, key);
    await queueImport(services, tx, actor.orgId, repositoryId);
    await record(tx, services.people, actor.orgId, actor, {
      action: 'repository.import_requested',
      subject: { kind: 'repository', id: repositoryId },
    });
    tx.afterCommit(() => services.realtime.tell(actor.orgId, 'orgRepos', { repositoryId }));
    const row = await tx.db
      .selectFrom('repository_import')
      .where('org_id', '=', actor.orgId)
      .where('repository_id', '=', repositoryId)
      .selectAll()
      .executeTakeFirstOrThrow();
    return importOf(row);
  });
}
