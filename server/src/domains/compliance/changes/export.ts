import type { ChangeItem, ChangePerson, ChangesQuery } from '@sightline/contract/compliance/changes.ts';
import type { Actor } from '#core/actor.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { listBranchChanges } from './list.ts';

type ChangesFilter = Omit<ChangesQuery, 'page' | 'perPage'>;

/** Exports all matching changes as CSV, and records the export. */
export async function exportChangeList(services: Services, actor: Actor, filter: ChangesFilter): Promise<FileAnswer> {
  const { orgId } = actor;
  const { fileOf, total } = await services.database.withOrg(orgId, async (tx) => {
    const { total } = await listBranchChanges(tx, actor, { ...filter, page: 1, perPage: 1 });
    const given = Object.entries(filter).filter(([, value]) => value !== undefined && value.length > 0);
    const fileOf = await recordExport(tx, services, actor, {
      of: 'changes',
      format: 'csv',
      entry: {
        action: 'change.exported',
        subject: { kind: 'organization', id: orgId },
        data: { changes: total, ...Object.fromEntries(given) },
      },
    });
    return { fileOf, total };
  });
  const columns = columnsWith((id) => `${services.config.PUBLIC_URL}/changes/${id}`);
  return fileOf(exportTextOf('csv', columns, batches(services, actor, filter, total)), total);
}

const BATCH_SIZE = 500;

// Each batch is its own transaction, so that a slow reader holds no connection.
async function* batches(
  { database }: Services,
  actor: Actor,
  filter: ChangesFilter,
  total: number,
): AsyncGenerator<ChangeItem[]> {
  for (let page = 1; (page - 1) * BATCH_SIZE < total; page += 1) {
    const { rows } = await database.withOrg(actor.orgId, (tx) =>
      listBranchChanges(tx, actor, { ...filter, page, perPage: BATCH_SIZE }),
    );
    yield rows;
  }
}

const nameOf = ({ name, identity }: ChangePerson) =>
  name ?? (identity === 'erased' ? 'Deleted person' : 'Unknown person');

const columnsWith = (linkOf: (id: string) => string): ExportColumns<ChangeItem> => ({
  repository: ({ repository }) => repository.fullName,
  branch: ({ branch }) => branch,
  number: ({ number }) => number?.toString() ?? '',
  title: ({ title }) => title ?? '',
  'merge method': ({ mergeMethod }) => mergeMethod,
  'merged at': ({ mergedAt }) => mergedAt,
  commit: ({ mergeSha }) => mergeSha ?? '',
  authors: ({ authors }) => authors.map(nameOf).join(', '),
  'merged by': ({ mergedBy }) => (mergedBy === null ? '' : nameOf(mergedBy)),
  'independent approval': ({ approval }) => approval,
  'agent contribution': ({ hasAgent }) => (hasAgent ? 'yes' : 'no'),
  'missing evidence': ({ missing }) => missing.join(', '),
  id: ({ id }) => id,
  link: ({ id }) => linkOf(id),
});
