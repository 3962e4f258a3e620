import type { UpdateObject } from 'kysely';
import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tables } from '#database/database.ts';
import { type NewNotification, raiseNotifications } from '../../delivery/notifications/commands.ts';
import { type ConnectionRow, maybeConnectionRow, type ScannerOf } from './connection-row.ts';

/** The exclusive lock of a running sync of a scanner of an organization. */
export interface SyncLock extends ScannerOf {
  run: string;
  connection: ConnectionRow & { secret: Buffer };
  /** Number of results read. */
  results: number;
  toldAt: number;
}

/** The connection was disconnected, or another run took over because this one had no heartbeat. */
export class SyncLockLost extends Error {
  override name = 'SyncLockLost';
}

// A run without a heartbeat for this time died with its process.
const STALE_AFTER = sql`interval '3 minutes'`;

/** Acquires the lock. Returns `busy` if another run holds it, and undefined if not connected. */
export const acquireSyncLock = (
  { database, realtime }: Services,
  { orgId, scanner }: ScannerOf,
): Promise<SyncLock | 'busy' | undefined> =>
  database.withOrg(orgId, async (tx) => {
    const row = await maybeConnectionRow(tx, orgId, scanner, true);
    if (!row || row.status === 'inactive' || row.secret === null) return undefined;
    const run = newId();
    const acquired = await tx.db
      .updateTable('integration')
      .set({
        sync_state: 'running',
        sync_run: run,
        sync_beat_at: sql<Date>`clock_timestamp()`,
        sync_done: 0,
        sync_total: null,
        sync_results: 0,
        sync_error: null,
        sync_started_at: sql<Date>`clock_timestamp()`,
        sync_finished_at: null,
      })
      .where('org_id', '=', orgId)
      .where('name', '=', scanner)
      .where(sql<boolean>`sync_run is null or sync_beat_at < clock_timestamp() - ${STALE_AFTER}`)
      .returningAll()
      .executeTakeFirst();
    if (!acquired || acquired.secret === null) return 'busy';
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: scanner }));
    return {
      orgId,
      scanner,
      run,
      connection: { ...acquired, secret: acquired.secret },
      results: 0,
      toldAt: Date.now(),
    };
  });

type IntegrationChange = UpdateObject<Tables, 'integration'>;

/** Records progress and a heartbeat. Throws SyncLockLost. */
export async function renewSyncLock(services: Services, lock: SyncLock, change: IntegrationChange = {}): Promise<void> {
  const heartbeat = { sync_beat_at: sql<Date>`clock_timestamp()`, sync_results: lock.results };
  await updateSync(services, { lock, change: { ...heartbeat, ...change }, isNotified: Date.now() - lock.toldAt > 400 });
}

/** Releases the lock and sends the notifications. */
export const releaseSyncLock = (
  services: Services,
  lock: SyncLock,
  change: IntegrationChange,
  ...notifications: NewNotification[]
): Promise<void> =>
  updateSync(services, {
    lock,
    change: { sync_run: null, sync_results: lock.results, sync_finished_at: sql<Date>`clock_timestamp()`, ...change },
    isNotified: true,
    notifications,
  });

const updateSync = (
  services: Services,
  {
    lock,
    change,
    isNotified,
    notifications = [],
  }: {
    lock: SyncLock;
    change: IntegrationChange;
    isNotified: boolean;
    notifications?: readonly NewNotification[] | undefined;
  },
): Promise<void> =>
  services.database.withOrg(lock.orgId, async (tx) => {
    const updated = await tx.db
      .updateTable('integration')
      .set(change)
      .where('org_id', '=', lock.orgId)
      .where('name', '=', lock.scanner)
      .where('sync_run', '=', lock.run)
      .returning('org_id')
      .executeTakeFirst();
    if (!updated) throw new SyncLockLost();
    await raiseNotifications(services, tx, lock.orgId, { actor: { integration: lock.scanner }, notifications });
    if (!isNotified) return;
    lock.toldAt = Date.now();
    tx.afterCommit(() =>
      services.realtime.notifyOrganization(lock.orgId, 'orgIntegrations', { provider: lock.scanner }),
    );
  });
