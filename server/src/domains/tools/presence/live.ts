import { randomUUID } from 'node:crypto';
import { heartbeatGoodForMs } from '@sightline/contract/tools/presence.ts';
import type { Services } from '#core/services.ts';
import { createThrottle } from '#core/throttle.ts';
import { announce, type ExtensionSessionKey, hold, noteOpen, pause, release } from './commands.ts';
import { createStatuses, type Statuses } from './remembered.ts';

export interface Presence {
  statuses: Statuses;
  /** A socket came; what it answers is called when the socket ends, with whether its person went away on purpose. */
  arrive: (place: ExtensionSessionKey) => Promise<(gone: boolean) => Promise<void>>;
  heartbeat: (place: ExtensionSessionKey, leaving: boolean) => Promise<void>;
  /** Nothing is recorded until then, or until it is resumed. */
  pause: (place: ExtensionSessionKey, until: Date | null) => Promise<void>;
  /** What a window has open, as far as the person may see it. */
  open: (place: ExtensionSessionKey, open: { repositoryId: string | null; branch: string | null }) => Promise<void>;
  stop: () => void;
}

/** Milliseconds between two times that living sockets are put off. */
const holdEvery = 30_000;
/** Milliseconds between two looks for presences that ended by themselves. */
const lookEvery = 5_000;
/** Milliseconds by which the clock of the database may be behind. */
const slack = 1_000;
/** Between two notices of who came or went to one organization: in the morning hundreds of people come at once. */
const NOTICE_PAUSE_MS = 1_000;

/** Who is connected, as this node sees it: it keeps its own sockets alive, and tells when somebody comes or goes. */
export function createPresence(services: Services): Presence {
  const { database, realtime, log } = services;
  const statuses = createStatuses(services);
  const notices = createThrottle<string>(
    NOTICE_PAUSE_MS,
    (orgId, accountIds) => realtime.tell(orgId, 'extStatus', { accountIds: [...new Set(accountIds)] }),
    log,
  );
  const holders = new Map<string, ExtensionSessionKey & { holder: string }>();
  /** When a side's presence may end by itself, in milliseconds. */
  const ends = new Map<string, { place: ExtensionSessionKey; at: number }>();

  const changed = ({ orgId, accountId }: ExtensionSessionKey) => {
    statuses.forget(orgId, accountId);
    realtime.tellAccount(accountId, 'userStatus', { accountId });
  };
  const flipped = (place: ExtensionSessionKey) => {
    changed(place);
    notices.add(place.orgId, place.accountId);
  };
  const mayEnd = (place: ExtensionSessionKey, inMs: number) =>
    ends.set(`${place.orgId} ${place.accountId} ${place.session.side}`, { place, at: Date.now() + inMs + slack });

  const holding = every(holdEvery, async () => {
    for (const [orgId, places] of Map.groupBy(holders.values(), (one) => one.orgId))
      await hold(database, orgId, places);
  });
  const looking = every(lookEvery, async () => {
    const now = Date.now();
    for (const [key, { place, at }] of ends) {
      if (at > now) continue;
      ends.delete(key);
      await look(place);
    }
  });

  /** Tells of a side that is over. One that another node, window or heartbeat keeps alive is watched there. */
  async function look(place: ExtensionSessionKey): Promise<void> {
    statuses.forget(place.orgId, place.accountId);
    const status = await statuses.of(place.orgId, place.accountId);
    if (status[`${place.session.side}_status`] === 'disconnected') flipped(place);
  }

  function every(ms: number, work: () => Promise<void>) {
    let busy = false;
    const timer = setInterval(async () => {
      if (busy) return;
      busy = true;
      await work().catch((error) => log.warn({ err: error }, 'presence'));
      busy = false;
    }, ms);
    return timer.unref();
  }

  return {
    statuses,
    async arrive(place) {
      const holder = randomUUID();
      holders.set(holder, { ...place, holder });
      if (await announce(database, place, holder)) flipped(place);
      return async (gone) => {
        holders.delete(holder);
        const left = await release(database, place, { holder, gone });
        if (left?.disconnected) flipped(place);
        else if (left && left.lives > 0) mayEnd(place, left.lives * 1000);
      };
    },
    async heartbeat(place, leaving) {
      if (leaving) {
        const left = await release(database, place, { holder: undefined, gone: true });
        if (left?.disconnected) flipped(place);
        return;
      }
      if (await announce(database, place, undefined)) flipped(place);
      mayEnd(place, heartbeatGoodForMs);
    },
    async pause(place, until) {
      if (await pause(database, place, until)) flipped(place);
    },
    async open(place, open) {
      if (!(await noteOpen(database, place, open))) return;
      changed(place);
      if (open.repositoryId !== null)
        realtime.tellAccount(place.accountId, 'currentProject', { repositoryId: open.repositoryId });
    },
    stop() {
      clearInterval(holding);
      clearInterval(looking);
    },
  };
}
