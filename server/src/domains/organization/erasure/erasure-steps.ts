import type { Erasing } from './erasing.ts';
import { eraseEventNames, eraseEvents } from './events.ts';
import { inventory, searchedIn } from './inventory.ts';
import { eraseOutside } from './outside.ts';
import { eraseOwnRows, forgetMessages } from './own-rows.ts';
import { searchTable } from './tables.ts';

/** One idempotent step of an erasure; returns the number of changed rows. */
export interface ErasureStep {
  name: string;
  erase: (erasing: Erasing) => Promise<number>;
}

/** The steps of an erasure, in their order. */
export const placesOf = (): ErasureStep[] => [
  { name: 'own rows', erase: eraseOwnRows },
  { name: 'messages of code hosts', erase: forgetMessages },
  { name: 'event', erase: eraseEvents },
  { name: 'posting_name', erase: eraseEventNames },
  ...Object.keys(inventory)
    .filter((table) => table !== 'event' && searchedIn(table).length > 0)
    .map((table) => ({ name: table, erase: (erasing: Erasing) => searchTable(erasing, table) })),
  { name: 'bundles', erase: ({ services, orgId }) => services.deleteBundleFiles(orgId) },
  { name: 'account, mails and the queue', erase: eraseOutside },
];
