import { toolApprovalNames } from '@sightline/contract/tools/tools.ts';
import type { Actor } from '#core/actor.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findInventoryLines, type InventoryLine } from './lines.ts';
import { type InventoryFilter, listInventoryRows } from './queries.ts';
import { inventoryScopeOf } from './scope.ts';

/** Exports one tab of the inventory, with filters applied, as a file. */
export async function exportInventory(services: Services, actor: Actor, filter: InventoryFilter): Promise<FileAnswer> {
  const { orgId } = actor;
  const { fileOf, total } = await services.database.withOrg(orgId, async (tx) => {
    const { total } = await listInventoryRows(tx, await inventoryScopeOf(tx, actor), filter, { limit: 0, offset: 0 });
    const { search, users, ...otherFilters } = filter;
    const fileOf = await recordExport(tx, services, actor, {
      of: `tools-${filter.tab === 'developer' ? 'developer' : 'ci-cd'}`,
      format: 'csv',
      entry: {
        action: 'tool.exported',
        subject: { kind: 'organization', id: orgId },
        data: {
          tools: total,
          ...Object.fromEntries(
            Object.entries(otherFilters).filter(([, value]) => value !== undefined && value.length > 0),
          ),
          ...(search !== '' && { search }),
          ...(users.length > 0 && { users }),
        },
      },
    });
    return { fileOf, total };
  });
  const columns = columnsWith((id) => `${services.config.PUBLIC_URL}/tools/${encodeURIComponent(id)}`);
  return fileOf(exportTextOf('csv', columns, batches(services, actor, filter, total)), total);
}

const BATCH_SIZE = 200;

// Each batch is its own transaction, so that a slow reader holds no connection.
async function* batches(
  { database }: Services,
  actor: Actor,
  filter: InventoryFilter,
  total: number,
): AsyncGenerator<InventoryLine[]> {
  for (let offset = 0; offset < total; offset += BATCH_SIZE) {
    yield await database.withOrg(actor.orgId, async (tx) => {
      const scope = await inventoryScopeOf(tx, actor);
      const { rows } = await listInventoryRows(tx, scope, filter, {
        limit: Math.min(BATCH_SIZE, total - offset),
        offset,
      });
      return findInventoryLines(tx, scope, filter, rows);
    });
  }
}

const columnsWith = (linkOf: (id: string) => string): ExportColumns<InventoryLine> => ({
  tool: ({ name }) => name,
  vendor: ({ vendor }) => vendor ?? '',
  type: ({ kind }) => kind,
  categories: ({ categories }) => categories.join(', '),
  version: ({ version }) => version ?? '',
  sources: ({ sources }) => sources.join(', '),
  'first seen': ({ firstSeen }) => firstSeen,
  'last seen': ({ lastSeen }) => lastSeen,
  'in use': ({ inUse }) => (inUse ? 'yes' : 'no'),
  approval: ({ approval }) => toolApprovalNames[approval.state],
  'approval since': ({ approval }) => approval.since,
  policy: ({ approval: { policy } }) => (policy === null ? '' : `${policy.name} (version ${policy.version})`),
  people: ({ allPeople }) => allPeople.join(', '),
  projects: ({ allProjects }) => allProjects.join(', '),
  id: ({ id }) => id,
  link: ({ id }) => linkOf(id),
});
