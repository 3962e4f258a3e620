import { randomBytes } from 'node:crypto';
import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Secrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tables, Tx } from '#database/database.ts';
import { createHostBudgets } from '#providers/host-budget.ts';
import type { IssueTracker, TrackerConnector, TrackerProject } from '#providers/tracker.ts';

/** The stored connection of an organization to a tracker. */
export type TrackerRow = Selectable<Tables['tracker']>;

const problem = z.object({ code: z.string(), message: z.string() }).nullable();
export const parseProblem = (row: Pick<TrackerRow, 'problem'>) => problem.parse(row.problem);

const projects = z.array(z.object({ key: z.string(), name: z.string(), types: z.array(z.string()) }));
export const parseProjects = (row: Pick<TrackerRow, 'projects'>): TrackerProject[] => projects.parse(row.projects);

/** Returns the row of a connection, also if disconnected; `lock` locks it for a change in this transaction. */
export const maybeTrackerRow = (
  tx: Tx,
  orgId: string,
  tracker: TrackerName,
  lock = false,
): Promise<TrackerRow | undefined> =>
  tx.db
    .selectFrom('tracker')
    .where('org_id', '=', orgId)
    .where('name', '=', tracker)
    .selectAll()
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();

/** The connected trackers of an organization. */
export const listConnectedTrackers = (tx: Tx, orgId: string): Promise<TrackerRow[]> =>
  tx.db
    .selectFrom('tracker')
    .where('org_id', '=', orgId)
    .where('status', '<>', 'inactive')
    .selectAll()
    .orderBy('name')
    .execute();

/** The location that the secrets of a connection are bound to. */
export const trackerSecretLocation = (orgId: string, tracker: string, field: 'secret' | 'hook_secret') => ({
  org: orgId,
  table: 'tracker',
  field: `${tracker} ${field}`,
});

export const sealNewHookSecret = (secrets: Secrets, orgId: string, tracker: string): Buffer =>
  secrets.seal(trackerSecretLocation(orgId, tracker, 'hook_secret'), Buffer.from(randomBytes(32).toString('hex')));

export function findConnector({ trackers }: Pick<Services, 'trackers'>, tracker: string): TrackerConnector {
  const connector = trackers.get(tracker as TrackerName);
  if (!connector) throw new Error(`No issue tracker is named ${tracker}`);
  return connector;
}

// The rate limit of a token is shared by everything that uses it.
const budgets = createHostBudgets();

/** Opens a connected tracker; undefined if it has no token. */
export function openTracker(services: Services, row: TrackerRow): IssueTracker | undefined {
  if (row.secret === null) return undefined;
  const token = services.secrets.open(trackerSecretLocation(row.org_id, row.name, 'secret'), row.secret).toString();
  return findConnector(services, row.name).open(
    services.outboundFor(row.org_id, 'tracker'),
    { baseURL: row.base_url, email: row.email, token },
    budgets(`${row.org_id} ${row.name} ${row.token_end}`),
  );
}
