import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { IssueTracker, TrackerTicket } from '#providers/tracker.ts';
import { subjectsOf } from './subjects.ts';
import { saveTicket } from './tickets.ts';
import { ticketCreated } from './topics.ts';

// Then other work of the sync gets its turn; the next sync continues.
const MAX_CREATED = 100;

interface PendingTicket {
  id: string;
  project: string;
  type: string | null;
  title: string;
  text: string;
  attempts: number;
}

/** Creates the requested tickets, the oldest first. One that the tracker refuses fails alone. */
export async function createPendingTickets(
  services: Services,
  orgId: string,
  tracker: TrackerName,
  opened: IssueTracker,
): Promise<void> {
  for (let count = 0; count < MAX_CREATED && !services.jobs.stopping.aborted; count += 1) {
    const pending = await services.database.withOrg(orgId, (tx) => takePending(tx, orgId, tracker));
    if (!pending) return;
    try {
      const ticket = await opened.create({ ...pending, isRepeated: pending.attempts > 1 });
      await services.database.withOrg(orgId, (tx) =>
        storeCreated(services, tx, orgId, { tracker, id: pending.id, ticket }),
      );
    } catch (error) {
      if (!(error instanceof HostRefused) || error.status === 401) throw error;
      await services.database.withOrg(orgId, (tx) =>
        storeRefused(services, tx, orgId, { tracker, id: pending.id, problem: error.message }),
      );
    }
  }
}

/** Counts the attempt before it is made: an attempt without an answer may have created the ticket. */
async function takePending(tx: Tx, orgId: string, tracker: TrackerName): Promise<PendingTicket | undefined> {
  const [row] = await tx.query<PendingTicket>({
    name: 'trackers.take-pending',
    text: `update ticket_request set attempts = attempts + 1 where org_id = $1 and id = (
             select id from ticket_request where org_id = $1 and tracker = $2 and state = 'pending' order by requested_at, id limit 1)
           returning id, project, type, title, text, attempts`,
    values: [orgId, tracker],
  });
  return row;
}

async function storeCreated(
  services: Services,
  tx: Tx,
  orgId: string,
  { tracker, id, ticket }: { tracker: TrackerName; id: string; ticket: TrackerTicket },
): Promise<void> {
  const ticketId = await saveTicket(tx, orgId, tracker, ticket);
  await tx.db
    .updateTable('ticket_request')
    // The text is at the tracker now.
    .set({ state: 'created', ticket_id: ticketId, problem: null, text: '' })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
  for (const subjects of await subjectsOf(tx, orgId, id))
    await services.topics.publish({ services, tx, orgId }, ticketCreated, { subjects, tracker, url: ticket.url });
}

const storeRefused = (
  { realtime }: Services,
  tx: Tx,
  orgId: string,
  { tracker, id, problem }: { tracker: TrackerName; id: string; problem: string },
): Promise<unknown> => {
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: tracker }));
  return tx.db
    .updateTable('ticket_request')
    .set({ state: 'failed', problem: sql`left(${problem}, 500)` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};
