import { randomUUID } from 'node:crypto';
import { HEARTBEAT_VALID_FOR_MS } from '@sightline/contract/tools/presence.ts';
import type { Services } from '#core/services.ts';
import { createThrottle } from '#core/throttle.ts';
import {
  type ExtensionSessionKey,
  endSocketSession,
  pauseExtensionSession,
  recordExtensionSession,
  recordOpenRepository,
  renewSocketSessions,
} from './commands.ts';
import { createStatusCache, type StatusCache } from './status-cache.ts';

export interface Presence {
  statuses: StatusCache;
  /**
   * Records a connected socket. The caller runs the returned function when the socket ends; `gone` is true if the
   * client closed it intentionally.
   */
  arrive: (sessionKey: ExtensionSessionKey) => Promise<(gone: boolean) => Promise<void>>;
  heartbeat: (sessionKey: ExtensionSessionKey, leaving: boolean) => Promise<void>;
  /** Pauses the session until the given time, or until it is resumed. */
  pause: (sessionKey: ExtensionSessionKey, until: Date | null) => Promise<void>;
  /** Records the open repository of a window, within the member's scope. */
  open: (
    sessionKey: ExtensionSessionKey,
    open: { repositoryId: string | null; branch: string | null },
  ) => Promise<void>;
  stop: () => void;
}

/** Interval for renewing connected sockets. */
const RENEW_INTERVAL_MS = 30_000;
/** Interval for detecting sessions that timed out. */
const EXPIRY_CHECK_INTERVAL_MS = 5_000;
/** Tolerance for the clock of the database. */
const CLOCK_TOLERANCE_MS = 1_000;
/**
 * Minimum time between change notices to an organization, since many members connect at the same time in the morning.
 */
const NOTICE_PAUSE_MS = 1_000;

/**
 * Creates the presence of this node: it renews its own sockets and sends change notices when members connect or
 * disconnect.
 */
export function createPresence(services: Services): Presence {
  const { database, realtime, log } = services;
  const statuses = createStatusCache(services);
  const notices = createThrottle<string>(
    NOTICE_PAUSE_MS,
    (orgId, accountIds) => realtime.notifyOrganization(orgId, 'extStatus', { accountIds: [...new Set(accountIds)] }),
    log,
  );
  const holders = new Map<string, ExtensionSessionKey & { holder: string }>();
  /** Times at which sides may time out, in milliseconds. */
  const ends = new Map<string, { sessionKey: ExtensionSessionKey; at: number }>();

  const notifyAccount = ({ orgId, accountId }: ExtensionSessionKey) => {
    statuses.forget(orgId, accountId);
    realtime.notifyAccount(accountId, 'userStatus', { accountId });
  };
  const notifyStatusChange = (sessionKey: ExtensionSessionKey) => {
    notifyAccount(sessionKey);
    notices.add(sessionKey.orgId, sessionKey.accountId);
  };
  const scheduleExpiryCheck = (sessionKey: ExtensionSessionKey, inMs: number) =>
    ends.set(`${sessionKey.orgId} ${sessionKey.accountId} ${sessionKey.session.side}`, {
      sessionKey,
      at: Date.now() + inMs + CLOCK_TOLERANCE_MS,
    });

  const renewTimer = every(RENEW_INTERVAL_MS, async () => {
    for (const [orgId, sessionKeys] of Map.groupBy(holders.values(), (one) => one.orgId))
      await renewSocketSessions(database, orgId, sessionKeys);
  });
  const expiryTimer = every(EXPIRY_CHECK_INTERVAL_MS, async () => {
    const now = Date.now();
    for (const [key, { sessionKey, at }] of ends) {
      if (at > now) continue;
      ends.delete(key);
      await checkExpiry(sessionKey);
    }
  });

  /** Sends a notice if a side timed out. A side that another node, window or heartbeat keeps live is tracked there. */
  async function checkExpiry(sessionKey: ExtensionSessionKey): Promise<void> {
    statuses.forget(sessionKey.orgId, sessionKey.accountId);
    const status = await statuses.of(sessionKey.orgId, sessionKey.accountId);
    if (status[`${sessionKey.session.side}_status`] === 'disconnected') notifyStatusChange(sessionKey);
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
    async arrive(sessionKey) {
      const holder = randomUUID();
      holders.set(holder, { ...sessionKey, holder });
      if (await recordExtensionSession(database, sessionKey, holder)) notifyStatusChange(sessionKey);
      return async (gone) => {
        holders.delete(holder);
        const end = await endSocketSession(database, sessionKey, { holder, gone });
        if (end?.disconnected) notifyStatusChange(sessionKey);
        else if (end && end.lives > 0) scheduleExpiryCheck(sessionKey, end.lives * 1000);
      };
    },
    async heartbeat(sessionKey, leaving) {
      if (leaving) {
        const end = await endSocketSession(database, sessionKey, { holder: undefined, gone: true });
        if (end?.disconnected) notifyStatusChange(sessionKey);
        return;
      }
      if (await recordExtensionSession(database, sessionKey, undefined)) notifyStatusChange(sessionKey);
      scheduleExpiryCheck(sessionKey, HEARTBEAT_VALID_FOR_MS);
    },
    async pause(sessionKey, until) {
      if (await pauseExtensionSession(database, sessionKey, until)) notifyStatusChange(sessionKey);
    },
    async open(sessionKey, open) {
      if (!(await recordOpenRepository(database, sessionKey, open))) return;
      notifyAccount(sessionKey);
      if (open.repositoryId !== null)
        realtime.notifyAccount(sessionKey.accountId, 'currentProject', { repositoryId: open.repositoryId });
    },
    stop() {
      clearInterval(renewTimer);
      clearInterval(expiryTimer);
    },
  };
}
