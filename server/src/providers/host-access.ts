import type {
  AccessPart,
  AccessPartState,
  AccessRoute,
  HolderKind,
  HostPermission,
} from '@sightline/contract/sources/host-access.ts';
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
