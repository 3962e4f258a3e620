import ipaddr from 'ipaddr.js';
import type { Database } from '#database/database.ts';
import { Forbidden, Unauthenticated } from './errors.ts';
import type { Claims } from './tokens.ts';

/** What an organization asks of the sessions of its members. */
export interface SessionPolicy {
  /** Minutes without use after which a session must sign in again; null for no limit. */
  idleMinutes: number | null;
  /** Hours after a sign-in at which a session must sign in again; null for no limit. */
  sessionHours: number | null;
  /** CIDRs that members may come from; empty for everywhere. */
  allowedNetworks: readonly string[];
}

/** When a session last signed in and was last used. */
export interface SessionTimes {
  signedInAt: Date;
  activeAt: Date;
}

/** Whether an address lies in one of the networks. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}

/** Whether a policy asks a session to sign in again. A token without a session cannot show when it signed in. */
export function isOver({ idleMinutes, sessionHours }: SessionPolicy, times: SessionTimes | undefined): boolean {
  if (idleMinutes === null && sessionHours === null) return false;
  if (!times) return true;
  const ageMinutes = (at: Date) => (Date.now() - at.getTime()) / 60_000;
  return (
    (idleMinutes !== null && ageMinutes(times.activeAt) > idleMinutes) ||
    (sessionHours !== null && ageMinutes(times.signedInAt) > sessionHours * 60)
  );
}

export interface SessionChecks {
  /**
   * Throws 403 for a member who comes from another network than the organization allows, 401 for one whose session must sign in again.
   * `isUse` keeps the session from becoming idle.
   */
  check: (policy: SessionPolicy, claims: Claims, address: string, isUse: boolean) => Promise<void>;
}

/** How long what was read of a session is good, and how often its use is written down, in milliseconds. */
const freshFor = 5_000;
const noteEvery = 30_000;

export function createSessionChecks(database: Database): SessionChecks {
  const remembered = new Map<string, { at: number; times: SessionTimes }>();
  const timesOf = async (sessionId: string): Promise<SessionTimes | undefined> => {
    const known = remembered.get(sessionId);
    if (known && Date.now() - known.at < freshFor) return known.times;
    const times = await findTimes(database, sessionId);
    if (remembered.size > 50_000) remembered.clear();
    if (times) remembered.set(sessionId, { at: Date.now(), times });
    return times;
  };
  return {
    async check(policy, { sessionId, extension }, address, isUse) {
      if (policy.allowedNetworks.length > 0 && !isInNetworks(policy.allowedNetworks, address))
        throw Forbidden('Your organization does not let its members in from this network.');
      // The grant of an extension has an end of its own.
      if (extension) return;
      const times = sessionId === undefined ? undefined : await timesOf(sessionId);
      if (isOver(policy, times)) {
        remembered.delete(sessionId ?? '');
        throw Unauthenticated();
      }
      if (sessionId === undefined || !times || !isUse || Date.now() - times.activeAt.getTime() < noteEvery) return;
      times.activeAt = new Date();
      await noteUse(database, sessionId);
    },
  };
}

const findTimes = ({ global }: Database, sessionId: string): Promise<SessionTimes | undefined> =>
  global(({ db }) =>
    db
      .selectFrom('account_session')
      .select(['signed_in_at as signedInAt', 'active_at as activeAt'])
      .where('id', '=', sessionId)
      .executeTakeFirst(),
  );

const noteUse = ({ global }: Database, sessionId: string) =>
  global(({ db }) =>
    db.updateTable('account_session').set({ active_at: new Date() }).where('id', '=', sessionId).execute(),
  );
