import type { UserStatus } from '@sightline/contract/tools/presence.ts';
import { neverConnected } from '@sightline/contract/tools/presence.ts';
import type { Realtime } from '#core/realtime.ts';
import type { Services } from '#core/services.ts';
import { readStanding } from './queries.ts';

/** Milliseconds for which a status is remembered: how late a node may be that missed the word of another. */
const rememberedFor = 30_000;
const remembered = 50_000;
const word = 'presence';

export interface Statuses {
  /** How somebody is connected. Asked by every open page every 5 seconds, so mostly from memory. */
  of: (orgId: string | undefined, accountId: string) => Promise<UserStatus>;
  /** As `forgetStatus` does. */
  forget: (orgId: string, accountId: string) => void;
}

/** Remembers statuses until they change, or end by themselves. */
export function createStatuses({ database, realtime }: Pick<Services, 'database' | 'realtime'>): Statuses {
  const known = new Map<string, { status: Promise<UserStatus>; until: number }>();
  realtime.hearNodes(word, (key) => known.delete(key));

  function read(key: string, orgId: string, accountId: string): Promise<UserStatus> {
    const standing = readStanding(database, orgId, accountId);
    const entry = { status: standing.then(({ status }) => status), until: Date.now() + rememberedFor };
    if (known.size >= remembered) known.clear();
    known.set(key, entry);
    standing.then(
      ({ until = entry.until }) => {
        entry.until = Math.min(entry.until, until);
      },
      () => known.delete(key),
    );
    return entry.status;
  }

  return {
    async of(orgId, accountId) {
      if (orgId === undefined) return { ...neverConnected, vscode: false, currentProject: null };
      const key = `${orgId} ${accountId}`;
      const found = known.get(key);
      return found && Date.now() < found.until ? found.status : read(key, orgId, accountId);
    },
    forget: (orgId, accountId) => forgetStatus(realtime, orgId, accountId),
  };
}

/** Forgets what every node remembers of how somebody is connected. Call it after the commit. */
export const forgetStatus = (realtime: Realtime, orgId: string, accountId: string): void =>
  realtime.tellNodes(word, `${orgId} ${accountId}`);
