import { randomUUID } from 'node:crypto';
import type { TrackerName, TrackerState } from '@sightline/contract/sources/trackers.ts';
import { sql } from 'kysely';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { TrackerConnection } from '#providers/tracker.ts';
import { checkTracker, completeForm, type TrackerChecked, type TrackerForm } from './check.ts';
import { trackerRefusalOf } from './problems.ts';
import { loadTrackerState } from './queries.ts';
import { queueTrackerSync } from './queue.ts';
import { maybeTrackerRow, openTracker, sealNewHookSecret, type TrackerRow, trackerSecretLocation } from './row.ts';
import { trackerAvailable } from './topics.ts';

/** Who connects: a member, or the operator at the command line. */
interface TrackerOwner {
  orgId: string;
  accountId: string;
  actor: AuditActor;
}

/** Connects, or changes the token or address of a connection. Checks the connection before storing it. */
export async function saveTracker(
  services: Services,
  by: TrackerOwner,
  tracker: TrackerName,
  form: TrackerForm,
): Promise<TrackerState> {
  const { orgId } = by;
  const connection = await completeForm(services, orgId, tracker, form);
  const checked = await checkTracker(services, orgId, tracker, connection).catch((error: unknown) => {
    throw trackerRefusalOf(error);
  });
  const { former, state } = await services.database.withOrg(orgId, async (tx) => {
    const former = await maybeTrackerRow(tx, orgId, tracker, true);
    const isElsewhere = !former || former.base_url !== connection.baseURL;
    if (isElsewhere && former) await endTickets(tx, orgId, tracker);
    await save(services, tx, by, { tracker, connection, checked, isElsewhere });
    const isChange = former !== undefined && former.status !== 'inactive';
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: by.actor,
      entry: {
        action: isChange ? 'integration.changed' : 'integration.connected',
        subject: { kind: 'installation', id: tracker },
        data: {
          provider: tracker,
          ...(isChange && { before: { baseURL: former.base_url, keyEnd: former.token_end } }),
          after: { connected: true, baseURL: connection.baseURL, keyEnd: connection.token.slice(-4) },
        },
      },
    });
    await services.topics.publish({ services, tx, orgId }, trackerAvailable, { tracker });
    await queueTrackerSync(services, tx, orgId, { tracker });
    return {
      former: isElsewhere ? former : undefined,
      state: await loadTrackerState(services, tx, orgId, tracker),
    };
  });
  if (former) await deleteHook(services, former);
  return state;
}

async function save(
  { secrets }: Services,
  tx: Tx,
  { orgId, accountId }: TrackerOwner,
  {
    tracker,
    connection: { baseURL, email, token },
    checked: { account, projects },
    isElsewhere,
  }: { tracker: TrackerName; connection: TrackerConnection; checked: TrackerChecked; isElsewhere: boolean },
): Promise<void> {
  const current = {
    status: 'active',
    base_url: baseURL,
    email,
    account,
    token_end: token.slice(-4),
    secret: secrets.seal(trackerSecretLocation(orgId, tracker, 'secret'), Buffer.from(token)),
    projects: JSON.stringify(projects),
    problem: null,
    limited_until: null,
    checked_at: sql<Date>`now()`,
  };
  const hook = {
    hook_secret: sealNewHookSecret(secrets, orgId, tracker),
    hook_id: null,
    previous_hook_secret: null,
    previous_hook_until: null,
  };
  await tx.db
    .insertInto('tracker')
    .values({ org_id: orgId, name: tracker, hook: randomUUID(), created_by: accountId, ...current, ...hook })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'name'])
        .doUpdateSet(
          isElsewhere
            ? { ...current, ...hook }
            : { ...current, hook_secret: sql`coalesce(tracker.hook_secret, excluded.hook_secret)` },
        ),
    )
    .execute();
}

/** IDs of another site mean other tickets: the known ones are no longer followed. */
async function endTickets({ db }: Tx, orgId: string, tracker: string): Promise<void> {
  await db
    .updateTable('ticket_request')
    .set({ state: 'failed', problem: 'The tracker was connected to another address.' })
    .where('org_id', '=', orgId)
    .where('tracker', '=', tracker)
    .where('state', '=', 'pending')
    .execute();
  await db
    .updateTable('ticket')
    .set({ state: 'missing', external_id: sql`'former ' || id` })
    .where('org_id', '=', orgId)
    .where('tracker', '=', tracker)
    .execute();
}

/** Queues a reading of the known tickets. */
export const requestTrackerSync = (services: Services, by: TrackerOwner, tracker: TrackerName): Promise<TrackerState> =>
  services.database.withOrg(by.orgId, async (tx) => {
    const row = await maybeTrackerRow(tx, by.orgId, tracker, true);
    if (!row || row.status === 'inactive') throw Conflict('The issue tracker is not connected. Connect it first.');
    await queueTrackerSync(services, tx, by.orgId, { tracker });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: by.orgId,
      actor: by.actor,
      entry: {
        action: 'integration.sync_requested',
        subject: { kind: 'installation', id: tracker },
        data: { provider: tracker },
      },
    });
    return loadTrackerState(services, tx, by.orgId, tracker);
  });

/** Deletes the token. Recorded tickets and their links remain. */
export async function deleteTracker(services: Services, by: TrackerOwner, tracker: TrackerName): Promise<null> {
  const { orgId } = by;
  const former = await services.database.withOrg(orgId, async (tx) => {
    const row = await maybeTrackerRow(tx, orgId, tracker, true);
    if (!row || row.status === 'inactive') return undefined;
    await tx.db
      .updateTable('tracker')
      .set({
        status: 'inactive',
        secret: null,
        email: null,
        account: '',
        hook_secret: null,
        hook_id: null,
        previous_hook_secret: null,
        previous_hook_until: null,
        problem: null,
        limited_until: null,
      })
      .where('org_id', '=', orgId)
      .where('name', '=', tracker)
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: by.actor,
      entry: {
        action: 'integration.disconnected',
        subject: { kind: 'installation', id: tracker },
        data: { provider: tracker, before: { connected: true }, after: { connected: false } },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: tracker }));
    return row;
  });
  if (former) await deleteHook(services, former);
  return null;
}

// Deletes the webhook at the tracker. If that fails, its deliveries are rejected here.
async function deleteHook(services: Services, row: TrackerRow): Promise<void> {
  if (row.hook_id === null || row.secret === null) return;
  try {
    await openTracker(services, row)?.deleteWebhook(row.hook_id);
  } catch (error) {
    services.log.warn({ orgId: row.org_id, err: error }, 'the webhook at the issue tracker could not be deleted');
  }
}
