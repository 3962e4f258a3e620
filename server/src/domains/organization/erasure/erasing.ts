import type { Services } from '#core/services.ts';
import type { Scrub } from './scrub.ts';

/** What the steps of an erasure work with. */
export interface Erasing {
  services: Services;
  orgId: string;
  erasureId: string;
  /** Every id of the person. */
  persons: readonly string[];
  accountId: string | null;
  deletesAccount: boolean;
  /** Addresses in small letters. */
  emails: readonly string[];
  scrub: Scrub;
}
