import { statfs } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';
import type { Services } from '#core/services.ts';
import { rejectAfter } from '#core/time-limit.ts';
import type { PoolCounts } from '#database/database.ts';

const COLLECT_MS = 5_000;

interface Backlog {
  ledger_entries: number;
  ledger_seconds: number;
  unsigned_ledgers: number;
  unsigned_seconds: number;
  halted_ledgers: number;
  search_events: number;
  clickhouse_batches: number;
  webhooks: number;
  webhook_seconds: number;
  refused_code_hosts: number;
}

/** The lag of the audit log streams, by destination kind. */
interface StreamLag {
  kind: string;
  streams: number;
  failing: number;
  behind: string;
  seconds: number;
}

const lastBackup = `select extract(epoch from now() - max((data->>'at')::timestamptz))::double precision as seconds
  from operator_entry where action = 'backup.created'`;

type NewGauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) => Gauge<Label>;

/** Sets the gauges of one source, which are new for each scrape. */
type CollectMetrics = (services: Services, gauge: NewGauge) => Promise<void>;

const collectBacklog: CollectMetrics = async ({ database }, gauge) => {
  const { rows } = await database.pool.query<Backlog>('select * from installation_backlog()');
  const [found] = rows;
  if (!found) return;
  const set = (name: string, help: string, value: number) => gauge(name, help).set(value);
  set('ledger_pending_entries', 'Pending ledger entries, up to 100,000.', found.ledger_entries);
  set('ledger_pending_seconds', 'Age of the oldest pending ledger entry.', found.ledger_seconds);
  set('ledgers_unsigned', 'Ledgers with entries after their last signed checkpoint.', found.unsigned_ledgers);
  set(
    'ledger_unsigned_seconds',
    'Longest time since the last checkpoint of a ledger with entries after it.',
    found.unsigned_seconds,
  );
  set('ledgers_halted', 'Ledgers that are halted because of an integrity failure.', found.halted_ledgers);
  set('search_pending_events', 'Events that are not indexed yet.', found.search_events);
  set('clickhouse_pending_batches', 'Batches of events that are not in ClickHouse yet.', found.clickhouse_batches);
  set(
    'webhooks_pending',
    'Webhooks of code hosts and scanners that are not processed yet, up to 100,000.',
    found.webhooks,
  );
  set('webhooks_pending_seconds', 'Age of the oldest webhook that is not processed yet.', found.webhook_seconds);
  set('code_hosts_refused', 'Connections whose token the code host rejects.', found.refused_code_hosts);
};

const collectImports: CollectMetrics = async ({ database }, gauge) => {
  const { rows } = await database.pool.query<{ state: string; imports: number }>('select * from imports_by_state()');
  const imports = gauge('imports', 'Imports of repositories by state.', 'state');
  for (const { state, imports: count } of rows) imports.set({ state }, count);
};

const collectBackup: CollectMetrics = async ({ database }, gauge) => {
  const { rows } = await database.pool.query<{ seconds: number | null }>(lastBackup);
  const [found] = rows;
  if (typeof found?.seconds !== 'number') return;
  gauge('backup_age_seconds', 'Age of the rows in the last backup that the backup command made.').set(found.seconds);
};

const collectJobs: CollectMetrics = async ({ jobs }, gauge) => {
  const queued = gauge('jobs', 'Background jobs by queue and state.', 'queue', 'state');
  const overdue = gauge('jobs_overdue_seconds', 'Overdue time of the longest waiting job.', 'queue');
  for (const { name, state, count, seconds } of await jobs.queued()) {
    queued.set({ queue: name, state }, count);
    if (seconds > 0) overdue.set({ queue: name }, seconds);
  }
};

const collectAuditStreams: CollectMetrics = async ({ database }, gauge) => {
  const { rows } = await database.pool.query<StreamLag>('select * from audit_stream_lag()');
  const destinations = gauge('audit_stream_destinations', 'Audit log destinations that are not paused.', 'kind');
  const failing = gauge('audit_stream_failing', 'Audit log destinations whose last delivery failed.', 'kind');
  const entries = gauge('audit_stream_lag_entries', 'Audit log entries that are not delivered yet.', 'kind');
  const seconds = gauge('audit_stream_lag_seconds', 'Age of the oldest audit log entry not delivered yet.', 'kind');
  for (const { kind, ...lag } of rows) {
    destinations.set({ kind }, lag.streams);
    failing.set({ kind }, lag.failing);
    entries.set({ kind }, Number(lag.behind));
    seconds.set({ kind }, lag.seconds);
  }
};

const collectDisk: CollectMetrics = async ({ config }, gauge) => {
  const disk = await statfs(config.dataDir).catch(() => undefined);
  if (!disk) return;
  gauge('data_dir_free_bytes', 'Free space of the disk of DATA_DIR.').set(disk.bavail * disk.bsize);
  gauge('data_dir_size_bytes', 'Size of the disk of DATA_DIR.').set(disk.blocks * disk.bsize);
};

const collectConnections: CollectMetrics = async ({ database, ledger, erasure, jobs, realtime }, gauge) => {
  const connections = gauge('database_connections', 'Connections of this process.', 'pool', 'state');
  const pools: Record<string, PoolCounts | undefined> = {
    requests: database.pool,
    explore: database.boundedPool,
    ledger: ledger.database.pool,
    erasure: erasure.pool,
    jobs: jobs.pool(),
    realtime: realtime.pool,
  };
  for (const [pool, counts] of Object.entries(pools)) {
    if (!counts) continue;
    const { totalCount, idleCount, waitingCount } = counts;
    connections.set({ pool, state: 'active' }, totalCount - idleCount);
    connections.set({ pool, state: 'idle' }, idleCount);
    connections.set({ pool, state: 'waiting' }, waitingCount);
  }
};

const collectors: Readonly<Record<string, CollectMetrics>> = {
  // First: the queries of the others would count as waiting, although idle connections run them at once.
  connections: collectConnections,
  backlog: collectBacklog,
  imports: collectImports,
  backup: collectBackup,
  jobs: collectJobs,
  audit_streams: collectAuditStreams,
  disk: collectDisk,
};

/**
 * Metrics of the installation rather than of one process: read for each scrape, the same from every process.
 * `sightline_collection_failed` names a source that fails, whose gauges are omitted.
 */
export function createInstallationMetrics(services: Services): () => Promise<Registry> {
  return async () => {
    const register = new Registry();
    const gauge: NewGauge = (name, help, ...labelNames) =>
      new Gauge({ name: `sightline_${name}`, help, labelNames, registers: [register] });
    const failed = gauge('collection_failed', '1 for metrics that could not be read for this scrape.', 'source');
    await Promise.all(
      Object.entries(collectors).map(async ([source, collect]) => {
        const isCollected = await rejectAfter(COLLECT_MS, collect(services, gauge)).then(
          () => true,
          () => false,
        );
        failed.set({ source }, isCollected ? 0 : 1);
      }),
    );
    return register;
  };
}
