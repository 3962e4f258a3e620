import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { IssueTracker, TrackerTicket } from '#providers/tracker.ts';
import { localStateOf, subjectsOf } from './subjects.ts';
import { ticketStatusChanged } from './topics.ts';

type State = 'open' | 'done';

interface FollowedTicket {
  id: string;
  externalId: string;
  category: TrackerTicket['category'];
  local: State;
  remote: State;
}

/**
 * Transfers changes between tickets and what they are about. Both sides are compared with what they were at the last
 * comparison, and only a change since then is transferred, so that a transfer causes no other. If both changed, the
 * state here applies.
 */
export async function followTickets(
  services: Services,
  orgId: string,
  tracker: TrackerName,
  opened: IssueTracker,
): Promise<void> {
  const { database } = services;
  for (const followed of await database.withOrg(orgId, (tx) => listFollowed(tx, orgId, tracker))) {
    const local = await database.withOrg(orgId, (tx) => localStateOf(services, tx, orgId, followed.id));
    const remote = stateOf(followed.category);
    if (local === undefined || (local === followed.local && remote === followed.remote)) continue;
    if (local === followed.local) {
      await database.withOrg(orgId, (tx) => applyRemote(services, tx, orgId, { tracker, followed, remote }));
      continue;
    }
    const problem = await moveTicket(opened, followed, local);
    await database.withOrg(orgId, (tx) =>
      store(tx, orgId, followed.id, { local, remote: problem === null ? local : remote, problem }),
    );
  }
}

const stateOf = (category: TrackerTicket['category']): State => (category === 'done' ? 'done' : 'open');

const listFollowed = (tx: Tx, orgId: string, tracker: TrackerName): Promise<FollowedTicket[]> =>
  tx.query<FollowedTicket & { [column: string]: unknown }>({
    name: 'trackers.followed',
    text: `select r.id, t.external_id as "externalId", t.category, r.local_state as local, r.remote_state as remote
           from ticket_request r join ticket t on t.org_id = $1 and t.id = r.ticket_id
           where r.org_id = $1 and r.tracker = $2 and r.state = 'created' and t.state = 'present' order by r.id`,
    values: [orgId, tracker],
  });

/** Returns why the tracker refuses the step; null if the ticket has the state. */
async function moveTicket(
  opened: IssueTracker,
  { externalId, category }: FollowedTicket,
  to: State,
): Promise<string | null> {
  try {
    await opened.move({ id: externalId, category }, to);
    return null;
  } catch (error) {
    if (!(error instanceof HostRefused) || error.status === 401) throw error;
    return error.message;
  }
}

async function applyRemote(
  services: Services,
  tx: Tx,
  orgId: string,
  { tracker, followed, remote }: { tracker: TrackerName; followed: FollowedTicket; remote: State },
): Promise<void> {
  for (const subjects of await subjectsOf(tx, orgId, followed.id))
    await services.topics.publish({ services, tx, orgId }, ticketStatusChanged, { subjects, tracker, to: remote });
  // What the subscribers changed here is no change of ours.
  const local = (await localStateOf(services, tx, orgId, followed.id)) ?? followed.local;
  await store(tx, orgId, followed.id, { local, remote, problem: null });
}

const store = (
  { db }: Tx,
  orgId: string,
  id: string,
  { local, remote, problem }: { local: State; remote: State; problem: string | null },
): Promise<unknown> =>
  db
    .updateTable('ticket_request')
    .set({ local_state: local, remote_state: remote, problem: problem === null ? null : sql`left(${problem}, 500)` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
