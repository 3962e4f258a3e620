import type { WithheldReason as Reason } from '@sightline/contract/organization/directory.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

export type WithheldReason = Reason;

/** A transaction that changes memberships in one organization as its directory says. */
export interface DirectoryScope {
  services: Services;
  tx: Tx;
  orgId: string;
}

/** The actor of audit entries about changes that the directory sent. */
export const directoryActor = { integration: 'directory' } as const;
