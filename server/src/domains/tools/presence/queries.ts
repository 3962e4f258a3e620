import type { ExtensionPause, ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import type { ExtensionStatus, UserStatus } from '@sightline/contract/tools/presence.ts';
import type { Database, Tx } from '#database/database.ts';

/** One side of one person: all their windows, or profiles, taken together. */
interface SideStatus {
  side: ExtensionSide;
  live: boolean;
  seen: Date;
  type: string;
  /** Null unless it is paused now. */
  paused_at: Date | null;
  paused_until: Date | null;
}

// What all the programs of a side come to. The program seen last gives its name, the pause that lasts longest the pause.
const isPaused = 's.paused_at is not null and (s.paused_until is null or s.paused_until > now())';
const sides = `s.side, bool_or(s.live_until > now()) as live, max(s.seen_at) as seen,
  (array_agg(s.type order by s.seen_at desc))[1] as type, min(s.paused_at) filter (where ${isPaused}) as paused_at,
  case when not bool_or(s.paused_at is not null and s.paused_until is null) then max(s.paused_until) filter (where ${isPaused}) end as paused_until`;

/** How members are connected in their organization, by account; who was never heard of is missing. */
export async function statusesOf(
  tx: Tx,
  orgId: string,
  accountIds: readonly string[],
): Promise<Map<string, ExtensionStatus>> {
  if (accountIds.length === 0) return new Map();
  const rows = await tx.query<SideStatus & { account_id: string }>({
    name: 'presence.some',
    text: `select s.account_id, ${sides} from extension_session s
           join member m on m.org_id = s.org_id and m.account_id = s.account_id and m.status <> 'deactivated'
           where s.org_id = $1 and s.account_id = any($2::uuid[]) group by s.account_id, s.side`,
    values: [orgId, accountIds],
  });
  return new Map(
    [...Map.groupBy(rows, (row) => row.account_id)].map(([accountId, found]) => [accountId, statusOf(found)]),
  );
}

/** How every member who is not deactivated is connected. */
export async function listMembersStatus(tx: Tx, orgId: string): Promise<(ExtensionStatus & { user_id: string })[]> {
  const rows = await tx.query<(SideStatus | { side: null }) & { account_id: string }>({
    name: 'presence.all',
    text: `select m.account_id, ${sides} from member m
           left join extension_session s on s.org_id = m.org_id and s.account_id = m.account_id
           where m.org_id = $1 and m.status <> 'deactivated' group by m.account_id, s.side order by m.account_id`,
    values: [orgId],
  });
  return [...Map.groupBy(rows, (row) => row.account_id)].map(([user_id, found]) => ({
    user_id,
    ...statusOf(found.filter((row) => row.side !== null)),
  }));
}

/** A person's status with the time, in milliseconds, at which it may end by itself; undefined while nothing can. */
export interface StatusUntil {
  status: UserStatus;
  until: number | undefined;
}

/** How one person is connected, in one round trip. */
export async function readStanding(database: Database, orgId: string, accountId: string): Promise<StatusUntil> {
  const rows = await database.onceWithOrg<StandingRow>(orgId, {
    name: 'presence.one',
    text: ` select s.*, p.* from tenant cross join lateral (
              select ${sides}, coalesce(bool_or(s.live_until > now() and s.type in ('vscode', 'vscode-insiders')), false) as vscode,
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

interface StandingRow extends SideStatus {
  vscode: boolean;
  /** Milliseconds; numeric, so text. */
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

// Somebody who paused one machine and works on another is observed.
const isPausedSide = (side: SideStatus): side is SideStatus & { paused_at: Date } =>
  !side.live && side.paused_at !== null;

const pauseOf = ({ paused_at, paused_until }: SideStatus & { paused_at: Date }): ExtensionPause => ({
  since: paused_at.toISOString(),
  until: paused_until?.toISOString() ?? null,
});
