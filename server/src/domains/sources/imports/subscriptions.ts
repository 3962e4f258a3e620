import { NotFound } from '#core/errors.ts';
import { retryFailuresOf } from '#core/failed-work.ts';
import { type Publication, subscribeTo } from '#core/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { queueImport, resumeImports } from './commands.ts';

export const importSubscriptions = [
  subscribeTo(organizationRestored, 'sources.resume-imports', ({ services, tx, orgId }) =>
    resumeImports(services, tx, orgId),
  ),
  retryFailuresOf('import', 'sources.retry-import', retryFailedImport),
];

/** Continues the failed import of an enabled repository now. */
async function retryFailedImport({ services, tx, orgId }: Publication, repositoryId: string): Promise<void> {
  const [failed] = await tx.query({
    name: 'imports.failed',
    text: `select from repository_import i join repository r on r.org_id = i.org_id and r.id = i.repository_id
           where i.org_id = $1 and i.repository_id::text = $2 and i.error is not null
             and r.tracked and r.removed_at is null`,
    values: [orgId, repositoryId],
  });
  if (!failed) throw NotFound('Failed import');
  await queueImport(services, tx, orgId, repositoryId);
}
