import { auditEventType } from '@sightline/contract/organization/audit-actions.ts';
import {
  AUDIT_STREAM_RETRY_DELAYS_SECONDS,
  type AuditStreamFailure,
  type AuditStreamKind,
} from '@sightline/contract/organization/audit-streams.ts';
import { sql } from 'kysely';
import type { JobData } from '#core/jobs.ts';
import { retryDelaySeconds, secondsFromNow } from '#core/retry-delay.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { openSecrets } from '../../delivery/destinations/queries.ts';
import { type LedgerPosition, listAuditEntriesAfter } from '../audit/queries.ts';
import { type Batch, DeliveryFailed } from './kind.ts';
import { deliverBatch } from './kinds.ts';
import { ocsfEventOf, type PlacedEntry } from './ocsf/event.ts';
import { auditStreams } from './stream-type.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'audit-streams.deliver': { orgId: string; streamId: string };
  }
}

type StreamRef = JobData['audit-streams.deliver'];

/** A destination with its secrets opened. */
export interface OpenTarget {
  kind: AuditStreamKind;
  settings: unknown;
  secrets: string[];
}

interface StreamBatch {
  target: OpenTarget;
  entries: PlacedEntry[];
  /** The place of the last row read, whether it could be delivered or not. */
  end: LedgerPosition;
}

interface StreamOutcome {
  failure: AuditStreamFailure | null;
  retryAfterSeconds: number;
}

const ENTRIES_PER_BATCH = 500;
const BYTES_PER_BATCH = 1024 * 1024;
// Then another job goes on, so that other destinations have their turn and a server that stops need not wait.
const TURN_MS = 10_000;
const LOCKED_RETRY_MS = 2_000;
const LONGEST_RETRY_SECONDS = 3_600;
// Any number; the destination is hashed with it into the key of the lock.
const lock = 7_318_207;

/**
 * Delivers what one destination has not received yet, in the order of the ledger. One worker at a time does it, until its transaction
 * ends; the cursor moves after a batch was received, so that a crash delivers it again rather than never.
 */
export async function deliverStream(services: Services, ref: StreamRef): Promise<void> {
  const { database, jobs } = services;
  const nextMs = await database.withOrg(ref.orgId, async (tx) => {
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'audit-streams.lock',
      text: 'select pg_try_advisory_xact_lock(hashtextextended($1, $2)) as mine',
      values: [ref.streamId, lock],
    });
    // The worker that has it may have read the ledger before this job was queued.
    return row?.mine ? deliverBatches(services, ref) : LOCKED_RETRY_MS;
  });
  if (nextMs === undefined) return;
  await database.withOrg(ref.orgId, (tx) =>
    jobs.enqueue(tx, 'audit-streams.deliver', ref, {
      key: `${ref.streamId} ${nextMs}`,
      startAfter: new Date(Date.now() + nextMs),
    }),
  );
}

/** Returns in how many milliseconds to go on; undefined once nothing is left, or a retry was queued. */
async function deliverBatches(services: Services, ref: StreamRef): Promise<number | undefined> {
  const started = performance.now();
  for (;;) {
    const work = await services.database.withOrg(ref.orgId, (tx) => readWork(services, tx, ref));
    if (!work) return undefined;
    const outcome = await tryBatch(services, ref.orgId, work.target, work.entries);
    await services.database.withOrg(ref.orgId, (tx) =>
      recordOutcome(services, tx, { streamRef: ref, end: work.end, streamOutcome: outcome }),
    );
    if (outcome.failure !== null) return undefined;
    if (services.jobs.stopping.aborted || performance.now() - started > TURN_MS) return 0;
  }
}

/** What is due; undefined while the destination is paused or backs off, or its organization is archived. */
async function readWork(services: Services, tx: Tx, { orgId, streamId }: StreamRef): Promise<StreamBatch | undefined> {
  const [cursor] = await tx.query<{ epoch: number; leaf_index: number }>({
    name: 'audit-streams.cursor',
    text: `select s.epoch, s.leaf_index from audit_stream s join organization o on o.id = s.org_id
           where s.org_id = $1 and s.id = $2 and s.enabled and s.next_at <= now() and o.archived_at is null`,
    values: [orgId, streamId],
  });
  if (!cursor) return undefined;
  const after = { epoch: cursor.epoch, leafIndex: cursor.leaf_index };
  const rows = await listAuditEntriesAfter(tx, orgId, after, ENTRIES_PER_BATCH);
  let end: LedgerPosition | undefined;
  let bytes = 0;
  const entries: PlacedEntry[] = [];
  for (const { position, entry } of rows) {
    const placed = entry && { orgId, position, entry };
    bytes += placed ? Buffer.byteLength(JSON.stringify(ocsfEventOf(placed))) : 0;
    if (end && bytes > BYTES_PER_BATCH) break;
    if (placed) entries.push(placed);
    end = position;
  }
  return end && { target: await readTarget(services, tx, orgId, streamId), entries, end };
}

/** Opens a destination. */
export async function readTarget(services: Services, tx: Tx, orgId: string, id: string): Promise<OpenTarget> {
  const { kind, settings } = await tx.db
    .selectFrom('audit_stream')
    .select(['kind', 'settings'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    kind: kind as AuditStreamKind,
    settings,
    secrets: await openSecrets(services, tx, auditStreams, { orgId, id }),
  };
}

/** Delivers entries in one batch. A failure of the destination is a result, not an exception. */
export async function tryBatch(
  { outboundFor, ledger }: Services,
  orgId: string,
  { kind, settings, secrets }: OpenTarget,
  entries: readonly PlacedEntry[],
): Promise<StreamOutcome> {
  const batch = batchOf(ledger.host, orgId, entries);
  if (!batch) return { failure: null, retryAfterSeconds: 0 };
  try {
    await deliverBatch(outboundFor(orgId, 'audit-stream'), kind, { settings, secrets }, batch);
    return { failure: null, retryAfterSeconds: 0 };
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error;
    return { failure: error.reason, retryAfterSeconds: error.retryAfterSeconds };
  }
}

function batchOf(host: string, orgId: string, entries: readonly PlacedEntry[]): Batch | undefined {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) return undefined;
  return {
    orgId,
    host,
    first: first.position,
    last: last.position,
    firstAt: first.entry.at,
    isTest: first.isTest === true,
    events: entries.map((placed) => ({
      id: placed.entry.id,
      at: placed.entry.at,
      severityId: auditEventType(placed.entry.action).severityId,
      json: JSON.stringify(ocsfEventOf(placed)),
    })),
  };
}

/** Moves the cursor to the end of a received batch; after a failure, queues the next attempt. */
async function recordOutcome(
  { jobs }: Services,
  tx: Tx,
  {
    streamRef: { orgId, streamId },
    end,
    streamOutcome: { failure, retryAfterSeconds },
  }: { streamRef: StreamRef; end: LedgerPosition; streamOutcome: StreamOutcome },
): Promise<void> {
  const update = tx.db.updateTable('audit_stream').where('org_id', '=', orgId).where('id', '=', streamId);
  if (failure === null) {
    await update
      .set({
        epoch: end.epoch,
        leaf_index: String(end.leafIndex),
        last_delivered_at: sql<Date>`now()`,
        tries: 0,
        failing_since: null,
        failed_at: null,
        failure: null,
      })
      .execute();
    return;
  }
  const failed = await update
    .set({
      tries: sql`tries + 1`,
      failure,
      failed_at: sql<Date>`now()`,
      failing_since: sql<Date>`coalesce(failing_since, now())`,
    })
    .returning('tries')
    .executeTakeFirst();
  // Deleted during the delivery.
  if (!failed) return;
  const delay = retryDelaySeconds(AUDIT_STREAM_RETRY_DELAYS_SECONDS, failed.tries, {
    retryAfterSeconds,
    repeatsLast: true,
    maxRetryAfterSeconds: LONGEST_RETRY_SECONDS,
  });
  const startAfter = secondsFromNow(delay ?? LONGEST_RETRY_SECONDS);
  await update.set({ next_at: startAfter }).execute();
  const key = `${streamId} retry ${failed.tries}`;
  await jobs.enqueue(tx, 'audit-streams.deliver', { orgId, streamId }, { key, startAfter });
}
