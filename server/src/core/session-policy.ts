import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Database } from '#database/database.ts';
import { Forbidden, Unauthenticated } from './errors.ts';
import type { Claims } from './tokens.ts';

/** The session requirements of an organization for its members. */
export interface SessionPolicy {
  /** Minutes without use after which a session must sign in again; null for no limit. */
  idleMinutes: number | null;
  /** Hours after a sign-in at which a session must sign in again; null for no limit. */
  sessionHours: number | null;
  /** Networks in CIDR notation from which members may connect; empty for all. */
  allowedNetworks: readonly string[];
  /** The required sign-in method of members; null for any. It does not apply to break-glass owners. */
  sso: SingleSignOn | null;
}

/**
 * An SQL condition: whether the member `m` may sign in without single sign-on. A break-glass owner who lost the role or
 * the second factor may not.
 */
export const breakGlassSql = `(m.break_glass and m.role_id = 'rol_owner' and m.status = 'active'
  and (exists (select from account_totp t where t.account_id = m.account_id)
    or exists (select from account_passkey p where p.account_id = m.account_id)))`;

/** The policy columns of the database. */
export interface PolicyRow {
  idle_minutes: number | null;
  session_hours: number | null;
  allowed_networks: string[];
  /** Also null for a break-glass owner. */
  sso_connection: string | null;
  /** Verified domains only. */
  domains: string[];
}

/** Converts a row to a policy; undefined if the organization has no requirements. */
export function sessionPolicyOf(row: PolicyRow): SessionPolicy | undefined {
  const { idle_minutes: idleMinutes, session_hours: sessionHours, allowed_networks: allowedNetworks } = row;
  const sso = row.sso_connection === null ? null : { connection: row.sso_connection, domains: row.domains };
  const isEmpty = idleMinutes === null && sessionHours === null && allowedNetworks.length === 0 && sso === null;
  return isEmpty ? undefined : { idleMinutes, sessionHours, allowedNetworks, sso };
}

/** A required identity provider, and the domains of which it must confirm an address. */
export interface SingleSignOn {
  connection: string;
  domains: readonly string[];
}

/** The external login of a session. */
export interface SessionLogin {
  connection: string | null;
  /** The addresses that the identity provider confirmed. */
  emails: readonly string[];
}

/** The times of the last sign-in and the last use of a session, and its external login. */
export interface SessionState extends SessionLogin {
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

/**
 * Whether a policy requires a session to sign in again. True for a token without a session, since its sign-in time is
 * unknown.
 */
export function requiresNewSignIn(
  { idleMinutes, sessionHours }: SessionPolicy,
  times: Pick<SessionState, 'signedInAt' | 'activeAt'> | undefined,
): boolean {
  if (idleMinutes === null && sessionHours === null) return false;
  if (!times) return true;
  const ageMinutes = (at: Date) => (Date.now() - at.getTime()) / 60_000;
  return (
    (idleMinutes !== null && ageMinutes(times.activeAt) > idleMinutes) ||
    (sessionHours !== null && ageMinutes(times.signedInAt) > sessionHours * 60)
  );
}

/** Whether a policy accepts the login of a session. */
export const acceptsLogin = ({ sso }: Pick<SessionPolicy, 'sso'>, login: SessionLogin | undefined): boolean =>
  sso === null ||
  (login?.connection === sso.connection &&
    login.emails.some((email) => sso.domains.includes(email.slice(email.lastIndexOf('@') + 1))));

export interface SessionChecks {
  /**
   * Throws 403 for a member from a network that the organization does not allow, 401 if the session must sign in again.
   * `isUse` resets the idle time of the session.
   */
  check: (policy: SessionPolicy, claims: Claims, address: string, isUse: boolean) => Promise<void>;
}

/** How long a session state is cached, and how often its use is recorded, in milliseconds. */
const cacheMs = 5_000;
const recordMs = 30_000;

export function createSessionChecks(database: Database): SessionChecks {
  const remembered = new Map<string, { at: number; state: SessionState }>();
  const stateOf = async (sessionId: string): Promise<SessionState | undefined> => {
    const known = remembered.get(sessionId);
    if (known && Date.now() - known.at < cacheMs) return known.state;
    const state = await findSessionState(database, { id: sessionId });
    if (remembered.size > 50_000) remembered.clear();
    if (state) remembered.set(sessionId, { at: Date.now(), state });
    return state;
  };
  return {
    async check(policy, { sessionId, extension }, address, isUse) {
      if (policy.allowedNetworks.length > 0 && !isInNetworks(policy.allowedNetworks, address))
        throw Forbidden('Your organization does not allow access from this network.');
      // The grant of an extension has its own expiry.
      if (extension) return;
      const state = sessionId === undefined ? undefined : await stateOf(sessionId);
      if (requiresNewSignIn(policy, state) || !acceptsLogin(policy, state)) {
        remembered.delete(sessionId ?? '');
        throw Unauthenticated();
      }
      if (sessionId === undefined || !state || !isUse || Date.now() - state.activeAt.getTime() < recordMs) return;
      state.activeAt = new Date();
      await recordUse(database, sessionId);
    },
  };
}

/** Reads the state of a session by its ID or by its `uid` at the identity provider. */
export const findSessionState = (
  { global }: Database,
  which: { id: string } | { uid: string },
): Promise<SessionState | undefined> =>
  global(({ db }) =>
    db
      .selectFrom('account_session as s')
      .select((eb) => [
        's.signed_in_at as signedInAt',
        's.active_at as activeAt',
        's.connection',
        sql<string[]>`array(${eb
          .selectFrom('account_identity_email as e')
          .select('e.email')
          .whereRef('e.connection', '=', 's.connection')
          .whereRef('e.subject', '=', 's.subject')})`.as('emails'),
      ])
      .where('id' in which ? 's.id' : 's.uid', '=', 'id' in which ? which.id : which.uid)
      .executeTakeFirst(),
  );

const recordUse = ({ global }: Database, sessionId: string) =>
  global(({ db }) =>
    db.updateTable('account_session').set({ active_at: new Date() }).where('id', '=', sessionId).execute(),
  );
