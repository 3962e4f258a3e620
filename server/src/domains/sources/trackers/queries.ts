import {
  type LinkedTicket,
  type TicketProjects,
  type TrackerName,
  type TrackerSettings,
  type TrackerState,
  trackerTitles,
} from '@sightline/contract/sources/trackers.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import {
  findConnector,
  listConnectedTrackers,
  maybeTrackerRow,
  parseProblem,
  parseProjects,
  type TrackerRow,
} from './row.ts';

export const trackerWebhookUrl = (publicURL: string, hook: string): string =>
  `${publicURL}/api/webhooks/trackers?hook=${hook}`;

/** How a tracker is connected, for an owner, without its token. */
export async function loadTrackerState(
  services: Services,
  tx: Tx,
  orgId: string,
  tracker: TrackerName,
): Promise<TrackerState> {
  const { needsURL, needsEmail } = findConnector(services, tracker);
  const row = await maybeTrackerRow(tx, orgId, tracker);
  return {
    tracker,
    title: trackerTitles[tracker],
    needsURL,
    needsEmail,
    sandboxPage: services.config.trackers.sandboxPage ?? null,
    connection: row && row.status !== 'inactive' ? await settingsOf(services, tx, row) : null,
  };
}

async function settingsOf(services: Services, tx: Tx, row: TrackerRow): Promise<TrackerSettings> {
  return {
    tracker: row.name as TrackerName,
    baseURL: row.base_url,
    email: row.email,
    account: row.account,
    tokenEnd: row.token_end,
    webhookURL: trackerWebhookUrl(services.config.PUBLIC_URL, row.hook),
    webhook: row.hook_id === null ? 'not_registered' : 'registered',
    projects: parseProjects(row).length,
    tickets: await countTickets(tx, row.org_id, row.name),
    checkedAt: row.checked_at?.toISOString() ?? null,
    lastSyncAt: row.last_sync_at?.toISOString() ?? null,
  };
}

export type TicketCounts = TrackerSettings['tickets'];

async function countTickets(tx: Tx, orgId: string, tracker: string): Promise<TicketCounts> {
  const [row] = await tx.query<TicketCounts>({
    name: 'trackers.counts',
    text: `select (select count(*)::int from ticket where org_id = $1 and tracker = $2) as known,
             (select count(*)::int from ticket where org_id = $1 and tracker = $2 and state = 'missing') as deleted,
             (select count(*)::int from ticket where org_id = $1 and tracker = $2 and state = 'present' and former_key is not null) as moved,
             (select count(*)::int from ticket_request where org_id = $1 and tracker = $2 and state = 'pending') as pending,
             (select count(*)::int from ticket_request where org_id = $1 and tracker = $2 and state = 'failed') as failed`,
    values: [orgId, tracker],
  });
  return row ?? { known: 0, deleted: 0, moved: 0, pending: 0, failed: 0 };
}

/** The health of a connection, visible to all members. */
export interface TrackerHealth {
  status: 'active' | 'inactive' | 'error';
  projects: number;
  isHookRegistered: boolean;
  problem: { code: string; message: string } | null;
  limitedUntil: Date | null;
  checkedAt: Date | null;
  lastSyncAt: Date | null;
  tickets: TicketCounts;
}

/** The health of a connection; undefined if the tracker was never connected. */
export async function maybeTrackerHealth(
  tx: Tx,
  orgId: string,
  tracker: TrackerName,
): Promise<TrackerHealth | undefined> {
  const row = await maybeTrackerRow(tx, orgId, tracker);
  if (!row) return undefined;
  return {
    status: row.status as TrackerHealth['status'],
    projects: parseProjects(row).length,
    isHookRegistered: row.hook_id !== null,
    problem: parseProblem(row),
    limitedUntil: row.limited_until,
    checkedAt: row.checked_at,
    lastSyncAt: row.last_sync_at,
    tickets: await countTickets(tx, orgId, tracker),
  };
}

/** The connected trackers with the projects in which tickets can be created. */
export const listTicketProjects = async (tx: Tx, orgId: string): Promise<TicketProjects> =>
  (await listConnectedTrackers(tx, orgId)).map((row) => ({
    tracker: row.name as TrackerName,
    title: trackerTitles[row.name as TrackerName],
    projects: parseProjects(row).map(({ key, name, types }) => ({ key, name, types: [...types] })),
  }));

/** Returns the organization whose webhook URL contains this ID, while the tracker is connected. */
export async function maybeOrganizationOfHook(tx: Tx, hook: string): Promise<string | undefined> {
  const [row] = await tx.query<{ org: string | null }>({
    name: 'trackers.org',
    text: 'select org_of_tracker_hook($1) as org',
    values: [hook],
  });
  return row?.org ?? undefined;
}

/** Requested tickets by subject. */
export async function findLinkedTickets(
  tx: Tx,
  orgId: string,
  kind: 'finding' | 'remediation',
  subjectIds: readonly string[],
): Promise<Map<string, LinkedTicket>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await tx.query<
    Pick<LinkedTicket, 'tracker' | 'key' | 'url' | 'type' | 'status' | 'category'> & {
      id: string;
      requested: 'pending' | 'created' | 'failed';
      state: 'present' | 'missing' | null;
      former: string | null;
      problem: string | null;
      checked_at: Date | null;
    }
  >({
    name: 'trackers.linked',
    text: `select l.subject_id as id, r.tracker, r.state as requested, r.problem, t.key, t.url, t.type, t.status, t.category, t.state,
             t.former_key as former, t.checked_at
           from ticket_link l join ticket_request r on r.org_id = $1 and r.id = l.request_id
           left join ticket t on t.org_id = $1 and t.id = r.ticket_id
           where l.org_id = $1 and l.kind = $2 and l.subject_id = any($3::uuid[])`,
    values: [orgId, kind, subjectIds],
  });
  return new Map(
    rows.map(({ id, requested, state, former, problem, checked_at, ...ticket }) => [
      id,
      {
        ...ticket,
        state:
          requested === 'pending'
            ? 'requested'
            : requested === 'failed'
              ? 'failed'
              : state === 'missing'
                ? 'missing'
                : former === null
                  ? 'present'
                  : 'moved',
        note: former ?? problem,
        checkedAt: checked_at?.toISOString() ?? null,
      },
    ]),
  );
}
