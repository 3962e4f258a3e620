import type { ExtensionPause, ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import type { ExtensionStatus, UserStatus } from '@sightline/contract/tools/presence.ts';
import type { Database, Tx } from '#database/database.ts';

/** One side of a member, aggregated over all windows or profiles. */
interface SideStatus {
  side: ExtensionSide;
  live: boolean;
  seen: Date;
  type: string;
  /** Null unless currently paused. */
  paused_at: Date | null;
  paused_until: Date | null;
}

// Aggregates the sessions of a side: the type of the latest session, and the longest pause.
const isPaused = 's.paused_at is not null and (s.paused_until is null or s.paused_until > now())';
const sideColumnsSql = `s.side, bool_or(s.live_until > now()) as live, max(s.seen_at) as seen,
  (array_agg(s.type order by s.seen_at desc))[1] as type, min(s.paused_at) filter (where ${isPaused}) as paused_at,
  case when not bool_or(s.paused_at is not null and s.paused_until is null) then max(s.paused_until) filter (where ${isPaused}) end as paused_until`;

/** Returns the connection status of members by account; omits members that were never connected. */
export async function extensionStatusesOf(
  tx: Tx,
  orgId: string,
  accountIds: readonly string[],
): Promise<Map<string, ExtensionStatus>> {
  if (accountIds.length === 0) return new Map();
  const rows = await tx.query<SideStatus & { account_id: string }>({
    name: 'presence.some',
    text: `select s.account_id, ${sideColumnsSql} from extension_session s
           join member m on m.org_id = s.org_id and m.account_id = s.account_id and m.status <> 'deactivated'
           where s.org_id = $1 and s.account_id = any($2::uuid[]) group by s.account_id, s.side`,
    values: [orgId, accountIds],
  });
  return new Map(
    [...Map.groupBy(rows, (row) => row.account_id)].map(([accountId, found]) => [accountId, statusOf(found)]),
  );
}

/** Returns the connection status of all members that are not deactivated. */
export async function listExtensionStatusesOfMembers(
  tx: Tx,
  orgId: string,
): Promise<(ExtensionStatus & { user_id: string })[]> {
  const rows = await tx.query<(SideStatus | { side: null }) & { account_id: string }>({
    name: 'presence.all',
    text: `select m.account_id, ${sideColumnsSql} from member m
           left join extension_session s on s.org_id = m.org_id and s.account_id = m.account_id
           where m.org_id = $1 and m.status <> 'deactivated' group by m.account_id, s.side order by m.account_id`,
    values: [orgId],
  });
  return [...Map.groupBy(rows, (row) => row.account_id)].map(([user_id, found]) => ({
    user_id,
    ...statusOf(found.filter((row) => row.side !== null)),
  }));
}

/** The status of a member with the time in milliseconds at which it may time out; undefined if it cannot. */
export interface StatusUntil {
  status: UserStatus;
  until: number | undefined;
}

/** Reads the status of one member in one round trip. */
export async function readUserStatus(database: Database, orgId: string, accountId: string): Promise<StatusUntil> {
  const rows = await database.onceWithOrg<StatusRow>(orgId, {
    name: 'presence.one',
    text: ` select s.*, p.* from tenant cross join lateral (
              select ${sideColumnsSql}, coalesce(bool_or(s.live_until > now() and s.type in ('vscode', 'vscode-insiders')), false) as vscode,
                extract(epoch from max(s.live_until) - now()) * 1000 as lives
              from extension_session s where s.org_id = tenant.org and s.account_id = $2 group by s.side offset 0) s
            left join lateral (
              select r.id as repository_id, r.full_name, e.branch from (
                select repository_id, branch from extension_session
                where org_id = tenant.org and account_id = $2 and side = 'ide' and live_until > now()
                  and opened_at is not null order by opened_at desc limit 1) e
              join repository r on r.org_id = tenant.org and r.id = e.repository_id and r.tracked) p on s.side = 'ide'`,
    values: [accountId],
  });
  const project = rows.find((row) => row.repository_id !== null);
  const ends = rows.flatMap(({ live, lives, paused_until }) =>
    live ? [Date.now() + Number(lives)] : paused_until ? [paused_until.getTime()] : [],
  );
  return {
    status: {
      ...statusOf(rows),
      vscode: rows.some(({ vscode }) => vscode),
      currentProject: project
        ? { repositoryId: project.repository_id ?? '', fullName: project.full_name ?? '', branch: project.branch }
        : null,
    },
    until: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

interface StatusRow extends SideStatus {
  vscode: boolean;
  /** Milliseconds; a numeric, which the driver returns as text. */
  lives: string;
  repository_id: string | null;
  full_name: string | null;
  branch: string | null;
}

function statusOf(found: readonly SideStatus[]): ExtensionStatus {
  const browser = found.find(({ side }) => side === 'browser');
  const ide = found.find(({ side }) => side === 'ide');
  return {
    browser_status: browser?.live ? 'connected' : 'disconnected',
    browser_timestamp: browser?.seen.toISOString() ?? null,
    browser_type: browser?.type ?? null,
    ...(browser && isPausedSide(browser) && { browser_paused: pauseOf(browser) }),
    ide_status: ide?.live ? 'connected' : 'disconnected',
    ide_timestamp: ide?.seen.toISOString() ?? null,
    ide_type: ide?.type ?? null,
    ...(ide && isPausedSide(ide) && { ide_paused: pauseOf(ide) }),
  };
}

// A member who paused one device and works on another is not paused.
const isPausedSide = (side: SideStatus): side is SideStatus & { paused_at: Date } =>
  !side.live && side.paused_at !== null;

const pauseOf = ({ paused_at, paused_until }: SideStatus & { paused_at: Date }): ExtensionPause => ({
  since: paused_at.toISOString(),
  until: paused_until?.toISOString() ?? null,
});

/** The profiles of browsers whose extension is or was recently connected, by account. */
export const browserProfilesOf = (
  tx: Tx,
  orgId: string,
  accountIds: readonly string[],
): Promise<{ accountId: string; profile: string }[]> =>
  tx.query<{ accountId: string; profile: string }>({
    name: 'presence.profiles',
    text: `select account_id as "accountId", id as profile from extension_session
           where org_id = $1 and account_id = any($2::uuid[]) and side = 'browser'`,
    values: [orgId, accountIds],
  });
