import { type Tool, toolApprovalNames } from '@sightline/contract/tools/tools.ts';
import type { Actor } from '#core/actor.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { LedgerSize } from '#core/ledger-size.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { type InventoryFilter, listInventory } from './queries.ts';

/** Exports one tab of the inventory as recorded at a ledger size. Throws 400 for filters that sightings do not record. */
export async function exportInventoryAtSize(
  services: Services,
  actor: Actor,
  filter: InventoryFilter,
  size: LedgerSize,
): Promise<FileAnswer> {
  const { database } = services;
  const pageOf = (page: number, perPage: number) =>
    database.withOrg(actor.orgId, (tx) => listInventory(tx, actor, { ...filter, page, perPage }, size));
  const { total } = await pageOf(1, 1);
  const fileOf = await database.withOrg(actor.orgId, (tx) =>
    recordExport(tx, services, actor, {
      of: `tools-${filter.tab === 'developer' ? 'developer' : 'ci-cd'}-at-${size.epoch}.${size.size}`,
      format: 'csv',
      entry: {
        action: 'tool.exported',
        subject: { kind: 'organization', id: actor.orgId },
        data: { tools: total, ledgerSize: `${size.epoch}.${size.size}` },
      },
    }),
  );
  const rowsOf = async function* (): AsyncGenerator<Tool[]> {
    for (let page = 1; (page - 1) * BATCH_SIZE < total; page += 1) yield (await pageOf(page, BATCH_SIZE)).rows;
  };
  return fileOf(exportTextOf('csv', columns, rowsOf()), total);
}

const BATCH_SIZE = 200;

// Only what sightings record. Names, vendors and categories are those of today.
const columns: ExportColumns<Tool> = {
  tool: ({ name }) => name,
  vendor: ({ vendor }) => vendor ?? '',
  type: ({ kind }) => kind,
  categories: ({ categories }) => categories.join(', '),
  version: ({ version }) => version ?? '',
  'first seen': ({ firstSeen }) => firstSeen,
  'last seen': ({ lastSeen }) => lastSeen,
  approval: ({ approval }) => toolApprovalNames[approval.state],
  'approval since': ({ approval }) => approval.since,
  policy: ({ approval: { policy } }) => (policy === null ? '' : `${policy.name} (version ${policy.version})`),
  people: ({ people }) => String(people.total),
  projects: ({ projects }) => String(projects.total),
  id: ({ id }) => id,
  'ledger entry': ({ recorded }) => recorded?.entry?.index.toString() ?? '',
};
