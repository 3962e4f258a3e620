import type { Services } from '#core/services.ts';
import type { NameScrub } from './scrub.ts';

/** The input of the steps of an erasure. */
export interface ErasureContext {
  services: Services;
  orgId: string;
  erasureId: string;
  /** All IDs of the person. */
  persons: readonly string[];
  accountId: string | null;
  deletesAccount: boolean;
  /** Email addresses in lower case. */
  emails: readonly string[];
  scrub: NameScrub;
}
