import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
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
  /** How members sign in; null for every way. Break-glass owners are bound by none. */
  sso: SingleSignOn | null;
}

/**
 * SQL: whether the member `m` may come in without single sign-on. Who is no longer an owner, or has no second factor any more, may not,
 * whatever was chosen before.
 */
export const breakGlassSql = `(m.break_glass and m.role_id = 'rol_owner' and m.status = 'active'
  and (exists (select from account_totp t where t.account_id = m.account_id)
    or exists (select from account_passkey p where p.account_id = m.account_id)))`;

/** As the database has it. */
export interface PolicyRow {
  idle_minutes: number | null;
  session_hours: number | null;
  allowed_networks: string[];
  /** Null for a break-glass owner too. */
  sso_connection: string | null;
  /** Those that are verified. */
  domains: string[];
}

/** Undefined where an organization asks for nothing. */
export function policyOf(row: PolicyRow): SessionPolicy | undefined {
  const { idle_minutes: idleMinutes, session_hours: sessionHours, allowed_networks: allowedNetworks } = row;
  const sso = row.sso_connection === null ? null : { connection: row.sso_connection, domains: row.domains };
  const asksForNothing = idleMinutes === null && sessionHours === null && allowedNetworks.length === 0 && sso === null;
  return asksForNothing ? undefined : { idleMinutes, sessionHours, allowedNetworks, sso };
}

/** A login of others, and the domains one of whose addresses it must vouch for. */
export interface SingleSignOn {
  connection: string;
  domains: readonly string[];
}

/** The login of others that a session signed in with. */
export interface SessionLogin {
  connection: string | null;
  /** The addresses that it vouches for. */
  emails: readonly string[];
}

/** When a session last signed in and was last used, and with which login of others. */
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

/** Whether a policy asks a session to sign in again. A token without a session cannot show when it signed in. */
export function isOver(
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

/** Whether a sign-in is one that a policy accepts. */
export const isAccepted = ({ sso }: Pick<SessionPolicy, 'sso'>, login: SessionLogin | undefined): boolean =>
  sso === null ||
  (login?.connection === sso.connection &&
    login.emails.some((email) => sso.domains.includes(email.slice(email.lastIndexOf('@') + 1))));

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
  const remembered = new Map<string, { at: number; state: SessionState }>();
  const stateOf = async (sessionId: string): Promise<SessionState | undefined> => {
    const known = remembered.get(sessionId);
    if (known && Date.now() - known.at < freshFor) return known.state;
    const state = await findSessionState(database, { id: sessionId });
    if (remembered.size > 50_000) remembered.clear();
    if (state) remembered.set(sessionId, { at: Date.now(), state });
    return state;
  };
  return {
    async check(policy, { sessionId, extension }, address, isUse) {
      if (policy.allowedNetworks.length > 0 && !isInNetworks(policy.allowedNetworks, address))
        throw Forbidden('Your organization does not allow access from this network.');
      // The grant of an extension has an end of its own.
      if (extension) return;
      const state = sessionId === undefined ? undefined : await stateOf(sessionId);
      if (isOver(policy, state) || !isAccepted(policy, state)) {
        remembered.delete(sessionId ?? '');
        throw Unauthenticated();
      }
      if (sessionId === undefined || !state || !isUse || Date.now() - state.activeAt.getTime() < noteEvery) return;
      state.activeAt = new Date();
      await noteUse(database, sessionId);
    },
  };
}

/** What is kept of a session, by its id or by its `uid` at the identity provider. */
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

const noteUse = ({ global }: Database, sessionId: string) =>
  global(({ db }) =>
    db.updateTable('account_session').set({ active_at: new Date() }).where('id', '=', sessionId).execute(),
  );
