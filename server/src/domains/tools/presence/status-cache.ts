import type { UserStatus } from '@sightline/contract/tools/presence.ts';
import { neverConnected } from '@sightline/contract/tools/presence.ts';
import type { Realtime } from '#core/realtime.ts';
import type { Services } from '#core/services.ts';
import { readUserStatus } from './queries.ts';

/** Lifetime of a cached status, which limits the delay if a node misses an invalidation. */
const STATUS_TTL_MS = 30_000;
const MAX_CACHED_STATUSES = 50_000;
const NODE_MESSAGE = 'presence';

export interface StatusCache {
  /** Returns the status of a member. Every open page requests it every 5 seconds, mostly from the cache. */
  of: (orgId: string | undefined, accountId: string) => Promise<UserStatus>;
  /** See `invalidateStatus`. */
  forget: (orgId: string, accountId: string) => void;
}

/** Creates a cache of statuses, until they change or time out. */
export function createStatusCache({ database, realtime }: Pick<Services, 'database' | 'realtime'>): StatusCache {
  const cache = new Map<string, { status: Promise<UserStatus>; until: number }>();
  realtime.onNodeMessage(NODE_MESSAGE, (key) => cache.delete(key));

  function read(key: string, orgId: string, accountId: string): Promise<UserStatus> {
    const loading = readUserStatus(database, orgId, accountId);
    const entry = { status: loading.then(({ status }) => status), until: Date.now() + STATUS_TTL_MS };
    if (cache.size >= MAX_CACHED_STATUSES) cache.clear();
    cache.set(key, entry);
    loading.then(
      ({ until = entry.until }) => {
        entry.until = Math.min(entry.until, until);
      },
      () => cache.delete(key),
    );
    return entry.status;
  }

  return {
    async of(orgId, accountId) {
      if (orgId === undefined) return { ...neverConnected, vscode: false, currentProject: null };
      const key = `${orgId} ${accountId}`;
      const found = cache.get(key);
      return found && Date.now() < found.until ? found.status : read(key, orgId, accountId);
    },
    forget: (orgId, accountId) => invalidateStatus(realtime, orgId, accountId),
  };
}

/** Invalidates the cached status of a member on all nodes. Call it after the commit. */
export const invalidateStatus = (realtime: Realtime, orgId: string, accountId: string): void =>
  realtime.sendToNodes(NODE_MESSAGE, `${orgId} ${accountId}`);
