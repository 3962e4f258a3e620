import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import { sql } from 'kysely';
import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import type { Tx } from '#database/database.ts';
import { HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { IssueTracker, TrackerProject } from '#providers/tracker.ts';
import { createPendingTickets } from './create.ts';
import { followTickets } from './follow.ts';
import { recordTrackerProblem, recordTrackerSuccess } from './health.ts';
import { trackerWebhookUrl } from './queries.ts';
import { queueTrackerSync } from './queue.ts';
import { maybeTrackerRow, openTracker, type TrackerRow, trackerSecretLocation } from './row.ts';
import { markMissing, saveTicket } from './tickets.ts';

// An arbitrary number; the key of the lock also contains the organization and the tracker.
const LOCK_KEY = 7_318_311;
const BUSY_RETRY_MS = 1_000;
const MAX_TICKETS = 1_000;
const BATCH = 50;

/**
 * Exchanges changes with a tracker: creates requested tickets, reads known ones, and transfers states. One process at a
 * time serves a tracker. `ids`: reads only these tickets.
 */
export async function syncTrackerTickets(
  services: Services,
  orgId: string,
  tracker: TrackerName,
  ids?: readonly string[],
): Promise<void> {
  await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return;
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'trackers.lock',
      text: 'select pg_try_advisory_xact_lock($1, hashtext($2)) as mine',
      values: [LOCK_KEY, `${orgId} ${tracker}`],
    });
    if (row?.mine) return exchange(services, orgId, tracker, ids);
    const at = new Date(Date.now() + BUSY_RETRY_MS);
    await queueTrackerSync(services, tx, orgId, { tracker, ...(ids && { ids }), at });
  });
}

async function exchange(
  services: Services,
  orgId: string,
  tracker: TrackerName,
  ids: readonly string[] | undefined,
): Promise<void> {
  const row = await services.database.withOrg(orgId, (tx) => maybeTrackerRow(tx, orgId, tracker));
  const opened = row && row.status !== 'inactive' ? openTracker(services, row) : undefined;
  if (!row || !opened) return;
  if (row.limited_until !== null && row.limited_until > new Date()) {
    const at = row.limited_until;
    await services.database.withOrg(orgId, (tx) => queueTrackerSync(services, tx, orgId, { tracker, at }));
    return;
  }
  try {
    const projects = ids === undefined ? await readConnection(services, row, opened) : undefined;
    await createPendingTickets(services, orgId, tracker, opened);
    await readTickets(services, orgId, { tracker, opened, ids });
    await followTickets(services, orgId, tracker, opened);
    await recordTrackerSuccess(services, orgId, tracker, { projects, isWhole: ids === undefined });
  } catch (error) {
    await recordTrackerProblem(services, orgId, tracker, error);
    const isOfTracker = error instanceof HostLimited || error instanceof HostFailed || error instanceof HostRefused;
    if (!isOfTracker) throw error;
  }
}

/** Reads the account and the projects of the token, and registers the webhook. */
async function readConnection(services: Services, row: TrackerRow, opened: IssueTracker): Promise<TrackerProject[]> {
  await opened.look();
  const projects = await opened.projects();
  await keepHook(services, row, opened);
  return projects;
}

/**
 * Registers the webhook if there is none, or again with a rotated secret. Without the permission for webhooks, changes
 * arrive with the next sync.
 */
async function keepHook(services: Services, row: TrackerRow, opened: IssueTracker): Promise<void> {
  const isRotating = row.previous_hook_secret !== null && row.previous_hook_until === null;
  if (row.hook_secret === null || (row.hook_id !== null && !isRotating)) return;
  const { org_id: orgId, name: tracker } = row;
  const secret = services.secrets
    .open(trackerSecretLocation(orgId, tracker, 'hook_secret'), row.hook_secret)
    .toString();
  const url = trackerWebhookUrl(services.config.PUBLIC_URL, row.hook);
  const id = await opened.registerWebhook({ url, secret }).catch((error: unknown) => {
    if (error instanceof HostRefused && error.status !== 401) return undefined;
    throw error;
  });
  if (id === undefined) return;
  if (row.hook_id !== null) await opened.deleteWebhook(row.hook_id);
  await services.database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('tracker')
      .set({
        hook_id: id,
        ...(isRotating && {
          previous_hook_until: sql<Date>`now() + make_interval(mins => ${previousSecretMinutes})`,
        }),
      })
      .where('org_id', '=', orgId)
      .where('name', '=', tracker)
      .where('status', '<>', 'inactive')
      .execute(),
  );
}

async function readTickets(
  { database, jobs }: Services,
  orgId: string,
  { tracker, opened, ids }: { tracker: TrackerName; opened: IssueTracker; ids: readonly string[] | undefined },
): Promise<void> {
  const wanted = await database.withOrg(orgId, (tx) => listDueTickets(tx, orgId, tracker, ids));
  for (let from = 0; from < wanted.length && !jobs.stopping.aborted; from += BATCH) {
    const batch = wanted.slice(from, from + BATCH);
    const found = await opened.findAll(batch);
    await database.withOrg(orgId, async (tx) => {
      for (const id of batch) {
        const ticket = found.get(id);
        if (ticket) await saveTicket(tx, orgId, tracker, ticket);
      }
      await markMissing(
        tx,
        orgId,
        tracker,
        batch.filter((id) => !found.has(id)),
      );
    });
  }
}

/** Tickets that were created here are read in every sync, referenced ones once a day; the longest unread first. */
async function listDueTickets(
  tx: Tx,
  orgId: string,
  tracker: TrackerName,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'trackers.due-tickets',
    text: `select external_id as id from ticket t where org_id = $1 and tracker = $2 and external_id not like 'former %'
             and case when $3::text[] is null then checked_at < now() - interval '1 day'
               or exists (select from ticket_request r where r.org_id = $1 and r.ticket_id = t.id)
               else external_id = any($3) end
           order by checked_at limit ${MAX_TICKETS}`,
    values: [orgId, tracker, ids ?? null],
  });
  return rows.map(({ id }) => id).toSorted();
}
