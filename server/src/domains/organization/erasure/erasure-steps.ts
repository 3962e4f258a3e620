import { eraseOutsideOrganization } from './erase-outside-organization.ts';
import type { ErasureContext } from './erasure-context.ts';
import { eraseEventNames, eraseEvents } from './events.ts';
import { erasureInventory, searchedColumnsOf } from './inventory.ts';
import { deleteWebhookBodies, eraseOwnRows } from './own-rows.ts';
import { scrubTable } from './tables.ts';

/** One idempotent step of an erasure; returns the number of changed rows. */
export interface ErasureStep {
  name: string;
  erase: (erasing: ErasureContext) => Promise<number>;
}

/** The steps of an erasure, in their order. */
export const erasureSteps = (): ErasureStep[] => [
  { name: 'own rows', erase: eraseOwnRows },
  { name: 'messages of code hosts', erase: deleteWebhookBodies },
  { name: 'event', erase: eraseEvents },
  { name: 'posting_name', erase: eraseEventNames },
  ...Object.keys(erasureInventory)
    .filter((table) => table !== 'event' && searchedColumnsOf(table).length > 0)
    .map((table) => ({ name: table, erase: (erasing: ErasureContext) => scrubTable(erasing, table) })),
  { name: 'bundles', erase: ({ services, orgId }) => services.deleteBundleFiles(orgId) },
  { name: 'account, mails and the queue', erase: eraseOutsideOrganization },
];
