import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';
import { type IssueTracker, type TrackerPerson, type TrackerTicket, valueAt } from '#providers/tracker.ts';
import { recordTrackerProblem } from './health.ts';
import { listConnectedTrackers, openTracker, type TrackerRow } from './row.ts';
import { saveTicket } from './tickets.ts';

/** A key in a pull request, as the trackers of the organization know it. */
export interface NamedTicketKey {
  key: string;
  tracker: TrackerName | null;
  /** `created_later`: after the given time. `unreachable`: a tracker that may have it did not answer. */
  state: 'resolved' | 'not_found' | 'created_later' | 'unreachable';
  ticket: TrackerTicket | null;
  /** At the given time; undefined if the history of the ticket is not readable. */
  status: string | undefined;
  assignee: TrackerPerson | null | undefined;
}

export interface TicketResolution {
  tickets: NamedTicketKey[];
  /** Why some could not be read. */
  reason: 'permission' | 'unreachable' | null;
}

/**
 * Reads the tickets with these keys as they were at a time (RFC 3339). Undefined if no tracker is connected. A tracker
 * that does not answer is recorded on its card.
 */
export async function resolveTicketKeys(
  services: Services,
  orgId: string,
  keys: readonly string[],
  at: string,
): Promise<TicketResolution | undefined> {
  const rows = await services.database.withOrg(orgId, (tx) => listConnectedTrackers(tx, orgId));
  if (rows.length === 0) return undefined;
  const resolution: TicketResolution = { tickets: [], reason: null };
  for (const key of keys) {
    const { named, reason } = await resolveKey(services, rows, key, at);
    resolution.tickets.push(named);
    resolution.reason ??= named.state === 'unreachable' ? reason : null;
  }
  return resolution;
}

async function resolveKey(
  services: Services,
  rows: readonly TrackerRow[],
  key: string,
  at: string,
): Promise<{ named: NamedTicketKey; reason: TicketResolution['reason'] }> {
  let named: NamedTicketKey = unknownKey(key, 'not_found');
  let reason: TicketResolution['reason'] = null;
  for (const row of rows) {
    try {
      const opened = openTracker(services, row);
      const found = opened && (await readAt(opened, row.name as TrackerName, key, at));
      if (found?.state === 'resolved') return { named: found, reason: null };
      if (found && named.state === 'not_found') named = found;
    } catch (error) {
      if (!isOfTracker(error)) throw error;
      await recordTrackerProblem(services, row.org_id, row.name as TrackerName, error);
      reason = error instanceof HostRefused ? 'permission' : 'unreachable';
      named = unknownKey(key, 'unreachable');
    }
  }
  return { named, reason };
}

const isOfTracker = (error: unknown): boolean =>
  error instanceof HostLimited || error instanceof HostFailed || error instanceof HostRefused;

const unknownKey = (key: string, state: 'not_found' | 'unreachable'): NamedTicketKey => ({
  key,
  tracker: null,
  state,
  ticket: null,
  status: undefined,
  assignee: undefined,
});

async function readAt(
  tracker: IssueTracker,
  name: TrackerName,
  key: string,
  at: string,
): Promise<NamedTicketKey | undefined> {
  const ticket = await tracker.find(key);
  if (!ticket || ticket.isDeleted) return undefined;
  const known = { key, tracker: name, ticket };
  if (Date.parse(ticket.createdAt) > Date.parse(at))
    return { ...known, state: 'created_later', status: undefined, assignee: undefined };
  const steps = await tracker.historyOf(ticket.id).catch((error: unknown) => {
    if (error instanceof HostRefused && error.status !== 401) return undefined;
    throw error;
  });
  if (!steps) return { ...known, state: 'resolved', status: undefined, assignee: undefined };
  const assigneeId = valueAt(
    steps.filter((step) => step.field === 'assignee'),
    at,
    ticket.assignee?.id ?? null,
  );
  return {
    ...known,
    state: 'resolved',
    status: valueAt(
      steps.filter((step) => step.field === 'status'),
      at,
      ticket.status,
    ),
    assignee:
      assigneeId === null
        ? null
        : assigneeId === ticket.assignee?.id
          ? ticket.assignee
          : await tracker.person(assigneeId),
  };
}

/** Stores the tickets that were found, so that later moves and deletions are reported. */
export async function saveResolvedTickets(
  tx: Tx,
  orgId: string,
  { tickets }: Pick<TicketResolution, 'tickets'>,
): Promise<void> {
  // In the order of syncs, so that two transactions never wait for each other.
  const found = tickets
    .filter(({ ticket, tracker }) => ticket !== null && tracker !== null)
    .toSorted((one, other) => compareText(one.ticket?.id ?? '', other.ticket?.id ?? ''));
  for (const { ticket, tracker } of found) if (ticket && tracker) await saveTicket(tx, orgId, tracker, ticket);
}

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
