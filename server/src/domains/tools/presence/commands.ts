import type { ExtensionSession } from '@sightline/contract/tools/presence.ts';
import { HEARTBEAT_VALID_FOR_MS } from '@sightline/contract/tools/presence.ts';
import type { Publication } from '#core/topics.ts';
import type { Database, Tx } from '#database/database.ts';
import { type PresenceSide, recordSideConnected, recordSideDisconnected } from './changes.ts';
import { invalidateStatus } from './status-cache.ts';

/** Identifies an editor window or browser profile of a member. */
export interface ExtensionSessionKey {
  orgId: string;
  accountId: string;
  session: ExtensionSession;
  /** The extension grant of the session. */
  grantId?: string | undefined;
}

/** Seconds for which a connected socket counts as live without renewal, so that sockets of a crashed node expire. */
const SOCKET_TTL_SECONDS = 90;
/** Seconds in which an interrupted socket may reconnect before the disconnection counts. */
const GRACE_SECONDS = 15;
const HEARTBEAT_TTL_SECONDS = HEARTBEAT_VALID_FOR_MS / 1000;

/**
 * Records that an extension is connected: by a socket, whose connection is `holder`, or by a heartbeat. Returns whether
 * its side became connected. Deletes sessions that were silent for a day or exceed the limit. Records nothing under an
 * ended grant.
 */
export async function recordExtensionSession(
  database: Database,
  sessionKey: ExtensionSessionKey,
  holder: string | undefined,
): Promise<boolean> {
  const { orgId, accountId, session, grantId } = sessionKey;
  return database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ refused: boolean; was: boolean; noted: boolean; ended_at: Date | null }>({
      name: 'presence.announce',
      // Locks the grant first, in the same order as the code that ends it.
      text: `with granted as (
               select from extension_grant where org_id = $1 and id = $9 and revoked_at is null for share
             ), mine as (
               select id, live_until, seen_at from extension_session where org_id = $1 and account_id = $2 and side = $3
             ), forgotten as (
               delete from extension_session where org_id = $1 and account_id = $2 and side = $3 and id in (
                 select id from mine where id <> $4 and live_until < now() - interval '1 day'
                 union all (select id from mine where id <> $4 order by seen_at desc offset ${MAX_SESSIONS - 1}))
             ), written as (
               insert into extension_session as s (org_id, account_id, side, id, type, version, live_until, seen_at, heartbeat_at, holder, grant_id)
               select $1::uuid, $2::uuid, $3::text, $4::uuid, $5::text, $6::text, now() + make_interval(secs => $7), now(),
                 case when $8::uuid is null then now() end, $8::uuid, $9::uuid
               where $9::uuid is null or exists (select from granted)
               on conflict (org_id, account_id, side, id) do update set
                 type = excluded.type, version = excluded.version, seen_at = excluded.seen_at,
                 live_until = greatest(s.live_until, excluded.live_until),
                 heartbeat_at = coalesce(excluded.heartbeat_at, s.heartbeat_at),
                 holder = coalesce(excluded.holder, s.holder), grant_id = excluded.grant_id,
                 paused_at = null, paused_until = null
             ) select $9::uuid is not null and not exists (select from granted) as refused,
                 exists (select from mine where live_until > now()) as was,
                 exists (select from presence_side where org_id = $1 and account_id = $2 and side = $3
                   and connected_since is not null) as noted,
                 (select max(live_until) from mine) as ended_at`,
      values: [
        orgId,
        accountId,
        session.side,
        session.sessionId,
        session.type,
        session.version,
        holder === undefined ? HEARTBEAT_TTL_SECONDS : SOCKET_TTL_SECONDS,
        holder ?? null,
        grantId ?? null,
      ],
    });
    if (!row || row.refused) return false;
    // The side is recorded as connected, but its end was not noticed yet.
    if (!row.noted || !row.was) {
      await recordSideConnected(
        tx,
        { orgId, accountId, side: session.side },
        row.noted ? (row.ended_at ?? new Date()) : null,
      );
    }
    return !row.was;
  });
}

/**
 * Records a pause of a window or profile, until a time or until resumed: it is no longer connected. Returns whether the
 * status of its side changed. Records nothing under an ended grant.
 */
export async function pauseExtensionSession(
  database: Database,
  sessionKey: ExtensionSessionKey,
  until: Date | null,
): Promise<boolean> {
  const { orgId, accountId, session, grantId } = sessionKey;
  return database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ changed: boolean }>({
      name: 'presence.pause',
      // Without the holder, a socket that is interrupted later does not extend the session.
      text: `with granted as (
               select from extension_grant where org_id = $1 and id = $8 and revoked_at is null for share
             ), was as (
               select paused_at is not null and live_until <= now() and paused_until is not distinct from $7 as same
               from extension_session where org_id = $1 and account_id = $2 and side = $3 and id = $4
             ), written as (
               insert into extension_session as s (org_id, account_id, side, id, type, version, live_until, seen_at, paused_at, paused_until, grant_id)
               select $1::uuid, $2::uuid, $3::text, $4::uuid, $5::text, $6::text, now(), now(), now(), $7::timestamptz, $8::uuid
               where $8::uuid is null or exists (select from granted)
               on conflict (org_id, account_id, side, id) do update set
                 type = excluded.type, version = excluded.version, seen_at = now(), live_until = now(), heartbeat_at = null,
                 holder = null, repository_id = null, branch = null, grant_id = excluded.grant_id,
                 paused_at = coalesce(s.paused_at, excluded.paused_at), paused_until = excluded.paused_until
               returning 1
             ) select not coalesce((select same from was), false) as changed from written`,
      values: [
        ...[orgId, accountId, session.side, session.sessionId, session.type, session.version],
        ...[until, grantId ?? null],
      ],
    });
    if (!row) return false;
    const side = { orgId, accountId, side: session.side };
    if (!(await isLive(tx, side))) await recordSideDisconnected(tx, side, 'paused');
    return row.changed;
  });
}

/** Ends the sessions under ended grants of an account. */
export async function endSessionsOfGrants(
  { services: { realtime }, tx, orgId }: Publication,
  { accountId, grantIds }: { accountId: string; grantIds: readonly string[] },
): Promise<void> {
  const ended = await tx.query<{ side: ExtensionSession['side'] }>({
    name: 'presence.end',
    // Without the holder, a socket that is interrupted later neither extends nor ends the session again.
    text: `update extension_session set live_until = least(live_until, now()), heartbeat_at = null, holder = null, repository_id = null,
             branch = null, paused_at = null, paused_until = null
           where org_id = $1 and account_id = $2 and grant_id = any($3::uuid[]) and (live_until > now() or paused_at is not null)
           returning side`,
    values: [orgId, accountId, grantIds],
  });
  if (ended.length === 0) return;
  for (const side of new Set(ended.map((row) => row.side))) {
    if (!(await isLive(tx, { orgId, accountId, side })))
      await recordSideDisconnected(tx, { orgId, accountId, side }, 'signed_out');
  }
  tx.afterCommit(() => {
    invalidateStatus(realtime, orgId, accountId);
    realtime.notifyAccount(accountId, 'userStatus', { accountId });
    realtime.notifyOrganization(orgId, 'extStatus', { accountIds: [accountId] });
  });
}

async function isLive(tx: Tx, { orgId, accountId, side }: PresenceSide): Promise<boolean> {
  const rows = await tx.query({
    name: 'presence.live',
    text: `select from extension_session where org_id = $1 and account_id = $2 and side = $3 and live_until > now() limit 1`,
    values: [orgId, accountId, side],
  });
  return rows.length > 0;
}

/** Maximum number of stored sessions per account and side. */
const MAX_SESSIONS = 100;

/** Renews the sessions of all sockets of this node in an organization. */
export const renewSocketSessions = (
  database: Database,
  orgId: string,
  sessionKeys: readonly (ExtensionSessionKey & { holder: string })[],
) =>
  database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'presence.hold',
      text: `update extension_session s set live_until = now() + make_interval(secs => ${SOCKET_TTL_SECONDS}), seen_at = now()
             from unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[]) as l(account_id, side, id, holder)
             where s.org_id = $1 and s.account_id = l.account_id and s.side = l.side and s.id = l.id and s.holder = l.holder`,
      values: [
        orgId,
        sessionKeys.map(({ accountId }) => accountId),
        sessionKeys.map(({ session }) => session.side),
        sessionKeys.map(({ session }) => session.sessionId),
        sessionKeys.map(({ holder }) => holder),
      ],
    }),
  );

/** Seconds until the session ends, and whether its side is thereby disconnected. */
export interface SessionEnd {
  lives: number;
  disconnected: boolean;
}

/**
 * Records that a socket ended. The session ends at once if the window closed or its access was revoked. After an
 * interruption, it has a grace period and its last heartbeat stays valid. Returns undefined if a newer connection holds
 * the session.
 */
export async function endSocketSession(
  database: Database,
  sessionKey: ExtensionSessionKey,
  how: { holder: string | undefined; gone: boolean },
): Promise<SessionEnd | undefined> {
  const { orgId, accountId, session } = sessionKey;
  return database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ lives: string; others: boolean; was: boolean }>({
      name: 'presence.release',
      text: `with before as (
               select id, live_until > now() as live from extension_session
               where org_id = $1 and account_id = $2 and side = $3
             ), written as (
               update extension_session set seen_at = now(),
                 live_until = case when $6 then now()
                   else greatest(now() + make_interval(secs => ${GRACE_SECONDS}), heartbeat_at + make_interval(secs => ${HEARTBEAT_TTL_SECONDS})) end,
                 heartbeat_at = case when not $6 then heartbeat_at end,
                 repository_id = case when not $6 then repository_id end,
                 branch = case when not $6 then branch end
               where org_id = $1 and account_id = $2 and side = $3 and id = $4 and ($5::uuid is null or holder = $5)
               returning id, live_until
             ) select extract(epoch from w.live_until - now()) as lives,
                 exists (select from before where id <> w.id and live) as others,
                 exists (select from before where id = w.id and live) as was from written w`,
      values: [orgId, accountId, session.side, session.sessionId, how.holder ?? null, how.gone],
    });
    if (!row) return undefined;
    const lives = Number(row.lives);
    const disconnected = row.was && !row.others && lives <= 0;
    if (disconnected) await recordSideDisconnected(tx, { orgId, accountId, side: session.side }, 'disconnected');
    return { lives, disconnected };
  });
}

/** Records the open repository of a window; returns whether the current repository of the member changed. */
export async function recordOpenRepository(
  database: Database,
  { orgId, accountId, session }: ExtensionSessionKey,
  open: { repositoryId: string | null; branch: string | null },
): Promise<boolean> {
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'presence.open',
      text: `update extension_session s set repository_id = $5, branch = $6, opened_at = now()
             where s.org_id = $1 and s.account_id = $2 and s.side = $3 and s.id = $4 and not (
               (s.repository_id, s.branch) is not distinct from ($5::uuid, $6::text) and s.opened_at is not null
               and not exists (select from extension_session o where o.org_id = $1 and o.account_id = $2
                 and o.side = $3 and o.live_until > now() and o.opened_at > s.opened_at))
             returning s.id`,
      values: [orgId, accountId, session.side, session.sessionId, open.repositoryId, open.branch],
    }),
  );
  return rows.length > 0;
}
