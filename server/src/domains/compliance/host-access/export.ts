import type { HostAccessItem, HostAccessQuery } from '@sightline/contract/compliance/host-access.ts';
import type { Actor } from '#core/actor.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { listAccess } from './queries.ts';

type AccessFilter = Omit<HostAccessQuery, 'page' | 'perPage'>;

/** Exports all matching access as CSV, and records the export. */
export async function exportAccessList(services: Services, actor: Actor, given: AccessFilter): Promise<FileAnswer> {
  const { orgId } = actor;
  // All batches are of one time.
  const at = given.at ?? new Date().toISOString();
  const filter = { ...given, at };
  const { fileOf, total } = await services.database.withOrg(orgId, async (tx) => {
    const { total } = await listAccess(tx, actor, { ...filter, page: 1, perPage: 1 });
    const named = Object.entries(filter).filter(([, value]) => value !== undefined && value.length > 0);
    const fileOf = await recordExport(tx, services, actor, {
      of: 'access-on-code-hosts',
      format: 'csv',
      entry: {
        action: 'host_access.exported',
        subject: { kind: 'organization', id: orgId },
        data: { rows: total, ...Object.fromEntries(named) },
      },
    });
    return { fileOf, total };
  });
  return fileOf(exportTextOf('csv', columnsAsOf(at), batches(services, actor, filter, total)), total);
}

const BATCH_SIZE = 500;

// Each batch is its own transaction, so that a slow reader holds no connection.
async function* batches(
  { database }: Services,
  actor: Actor,
  filter: AccessFilter,
  total: number,
): AsyncGenerator<HostAccessItem[]> {
  for (let page = 1; (page - 1) * BATCH_SIZE < total; page += 1) {
    const { rows } = await database.withOrg(actor.orgId, (tx) =>
      listAccess(tx, actor, { ...filter, page, perPage: BATCH_SIZE }),
    );
    yield rows;
  }
}

const columnsAsOf = (at: string): ExportColumns<HostAccessItem> => ({
  'as of': () => at,
  'code host': ({ holder }) => holder.provider,
  kind: ({ holder }) => holder.kind,
  name: ({ holder }) => holder.name,
  person: ({ holder }) => holder.person?.name ?? '',
  'active member': ({ isMember }) => (isMember === null ? '' : isMember ? 'yes' : 'no'),
  repository: ({ repository }) => repository.fullName,
  permission: ({ permission }) => permission,
  routes: ({ routes }) => routes.join(', '),
  since: ({ since }) => since,
  write: ({ duties }) => duties.write,
  approve: ({ duties }) => duties.approve,
  bypass: ({ duties }) => duties.bypass,
  administer: ({ duties }) => duties.administer,
  waive: ({ duties }) => duties.waive,
});
