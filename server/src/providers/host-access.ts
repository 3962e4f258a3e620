import type {
  AccessPart,
  AccessPartState,
  AccessRoute,
  HolderKind,
  HostPermission,
} from '@sightline/contract/sources/host-access.ts';
import { HostRefused } from './code-host.ts';
import type { HostUser } from './host-facts.ts';

/** An account, team, deploy key or app with access to a repository. */
export interface HostAccessHolder {
  kind: HolderKind;
  /** The ID at the host, unique among all holders of a kind there. */
  id: string;
  /** Login, slug or title. */
  name: string;
  /** The account; of a deploy key who added it, null if unknown; null for teams and apps. */
  user: HostUser | null;
  permission: HostPermission;
  routes: readonly AccessRoute[];
  /** Whether it can bypass the protection of the default branch; null if unknown. */
  canBypass: boolean | null;
}

/** Everything with access to a repository. Lists no holders of a part that could not be read. */
export interface HostAccess {
  parts: Readonly<Record<AccessPart, AccessPartState>>;
  holders: readonly HostAccessHolder[];
}

/**
 * Reads a part of the access. Undefined if the host denied it: 401 or 403, or 404, with which hosts hide what a token
 * may not see. Throws every other error, so that a failed request is not mistaken for an empty list.
 */
export async function readPart<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostRefused && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** The state of a part that `readPart` read. */
export const partState = (found: unknown): AccessPartState => (found === undefined ? 'forbidden' : 'read');
