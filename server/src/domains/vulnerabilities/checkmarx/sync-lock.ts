import type { UpdateObject } from 'kysely';
import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tables } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { type ConnectionRow, maybeRow } from './row.ts';

/** Who reads the scans of an organization just now; only one does at a time. */
export interface SyncTurn {
  orgId: string;
  run: string;
  connection: ConnectionRow & { secret: Buffer };
  /** Results read so far. */
  results: number;
  toldAt: number;
}

/** The connection was ended, or another run took over because this one seemed dead. */
export class TurnLost extends Error {
  override name = 'TurnLost';
}

// A run that was not seen for so long died with its process.
const deadAfter = sql`interval '3 minutes'`;

/** Begins a turn. Answers `busy` while another run has it, and undefined where nothing is connected. */
export const takeTurn = ({ database, realtime }: Services, orgId: string): Promise<SyncTurn | 'busy' | undefined> =>
  database.withOrg(orgId, async (tx) => {
    const row = await maybeRow(tx, orgId, true);
    if (!row || row.status === 'inactive' || row.secret === null) return undefined;
    const run = newId();
    const taken = await tx.db
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
      .where('name', '=', 'checkmarx')
      .where(sql<boolean>`sync_run is null or sync_beat_at < clock_timestamp() - ${deadAfter}`)
      .returningAll()
      .executeTakeFirst();
    if (!taken || taken.secret === null) return 'busy';
    tx.afterCommit(() => realtime.tell(orgId, 'orgIntegrations', { provider: 'checkmarx' }));
    return { orgId, run, connection: { ...taken, secret: taken.secret }, results: 0, toldAt: Date.now() };
  });

type IntegrationChange = UpdateObject<Tables, 'integration'>;

/** Says how far it is, and that it lives. Throws TurnLost. */
export async function goOn(services: Services, turn: SyncTurn, change: IntegrationChange = {}): Promise<void> {
  const alive = { sync_beat_at: sql<Date>`clock_timestamp()`, sync_results: turn.results };
  await write(services, { turn, change: { ...alive, ...change }, isNews: Date.now() - turn.toldAt > 400 });
}

/** Ends the turn. `news`: what people are told with it. */
export const endTurn = (
  services: Services,
  turn: SyncTurn,
  change: IntegrationChange,
  ...news: News[]
): Promise<void> =>
  write(services, {
    turn,
    change: { sync_run: null, sync_results: turn.results, sync_finished_at: sql<Date>`clock_timestamp()`, ...change },
    isNews: true,
    news,
  });

type News = Extract<Parameters<typeof raise>[3]['news'], { type: string }>;

const write = (
  services: Services,
  {
    turn,
    change,
    isNews,
    news = [],
  }: { turn: SyncTurn; change: IntegrationChange; isNews: boolean; news?: readonly News[] | undefined },
): Promise<void> =>
  services.database.withOrg(turn.orgId, async (tx) => {
    const standing = await tx.db
      .updateTable('integration')
      .set(change)
      .where('org_id', '=', turn.orgId)
      .where('name', '=', 'checkmarx')
      .where('sync_run', '=', turn.run)
      .returning('org_id')
      .executeTakeFirst();
    if (!standing) throw new TurnLost();
    await raise(services, tx, turn.orgId, { doer: { integration: 'checkmarx' }, news });
    if (!isNews) return;
    turn.toldAt = Date.now();
    tx.afterCommit(() => services.realtime.tell(turn.orgId, 'orgIntegrations', { provider: 'checkmarx' }));
  });
