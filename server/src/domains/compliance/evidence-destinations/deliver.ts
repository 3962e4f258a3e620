import {
  EVIDENCE_RETRY_DELAYS_SECONDS,
  type EvidenceDestinationKind,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import { Refusal } from '#core/errors.ts';
import { factId, newId } from '#core/ids.ts';
import type { JobData } from '#core/jobs.ts';
import { retryDelaySeconds, secondsFromNow } from '#core/retry-delay.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { openSecrets } from '../../delivery/destinations/queries.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { auditDataOf } from './commands.ts';
import { evidenceDestinations } from './destination-type.ts';
import type { DeliveryResult, Item, Sender, SentBefore } from './kind.ts';
import { itemsFor, replaces, senderFor } from './kinds.ts';
import { findEvidenceDestination } from './queries.ts';
import { createReceiverClient, DeliveryRejected, type Exchange } from './receiver-client.ts';
import { openSnapshot, type SnapshotContent } from './snapshot-content.ts';

type DeliveryJob = JobData['destinations.deliver'];

interface DeliveryWork extends DeliveryJob {
  destinationId: string;
  snapshotId: string;
  kind: EvidenceDestinationKind;
  settings: Record<string, unknown>;
  secret: string;
}

/** Viewers of a delivery are updated after so many items. */
const ITEMS_PER_UPDATE = 25;

/** Sends the items of a snapshot that have not arrived yet, for the job `destinations.deliver`. Idempotent; failed items are retried. */
export async function deliver(services: Services, job: DeliveryJob): Promise<void> {
  const work = await services.database.withOrg(job.orgId, (tx) => leaseDelivery(services, tx, job));
  if (!work) return;
  const client = createReceiverClient(services.outboundFor(job.orgId, 'evidence_destination'), (exchange) =>
    storeExchange(services, job, exchange),
  );
  try {
    const snapshot = await openSnapshot(services, work.orgId, work.snapshotId);
    const items = await plan(services, work, snapshot);
    const rejections = await sendAll(services, {
      work,
      snapshot,
      sender: senderFor(work.kind, work.settings, work.secret, client),
      plan: items,
    });
    await end(
      services,
      work,
      rejections.length === 0 ? null : `${rejections.length} of ${items.all} were not delivered. ${rejections[0]}`,
    );
  } catch (error) {
    if (error instanceof DeliveryRejected && error.when === 'retry') return retry(services, work, error);
    if (error instanceof DeliveryRejected || error instanceof Refusal) return end(services, work, error.message);
    throw error;
  }
}

/** Leases a delivery for 15 minutes per item. If this process dies, another one continues then. */
async function leaseDelivery(
  services: Services,
  tx: Tx,
  { orgId, deliveryId }: DeliveryJob,
): Promise<DeliveryWork | undefined> {
  const row = await tx.db
    .updateTable('evidence_delivery as d')
    .set({ next_at: sql<Date>`now() + interval '15 minutes'` })
    .where('d.org_id', '=', orgId)
    .where('d.id', '=', deliveryId)
    .where('d.state', '=', 'pending')
    .where('d.next_at', '<=', sql<Date>`now()`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('evidence_destination as e')
          .innerJoin('organization as o', 'o.id', 'e.org_id')
          .select('e.id')
          .where('e.org_id', '=', orgId)
          .whereRef('e.id', '=', 'd.destination_id')
          .where('e.enabled', '=', true)
          .where('o.archived_at', 'is', null),
      ),
    )
    .returning(['d.destination_id', 'd.snapshot_id'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { kind, settings } = await findEvidenceDestination(tx, orgId, row.destination_id);
  const [secret = ''] = await openSecrets(services, tx, evidenceDestinations, { orgId, id: row.destination_id });
  const { destination_id: destinationId, snapshot_id: snapshotId } = row;
  return { orgId, deliveryId, destinationId, snapshotId, kind, settings, secret };
}

interface Plan {
  all: number;
  pending: Item[];
  before: SentBefore;
}

/** Stores the items before any is sent. */
const plan = ({ database, realtime }: Services, work: DeliveryWork, snapshot: SnapshotContent): Promise<Plan> =>
  database.withOrg(work.orgId, async (tx) => {
    const { orgId, deliveryId, kind, settings } = work;
    const before = await sentBefore(tx, work);
    const items = itemsFor(kind, settings, snapshot, before);
    for (const [position, { key, label }] of items.entries()) {
      await tx.db
        .insertInto('evidence_delivery_item')
        .values({ org_id: orgId, delivery_id: deliveryId, key, position, label })
        .onConflict((conflict) => conflict.columns(['org_id', 'delivery_id', 'key']).doNothing())
        .execute();
    }
    const rows = await tx.db
      .selectFrom('evidence_delivery_item')
      .select(['key', 'label', 'state'])
      .where('org_id', '=', orgId)
      .where('delivery_id', '=', deliveryId)
      .orderBy('position')
      .execute();
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgEvidence', {}));
    return { all: rows.length, pending: rows.filter(({ state }) => state === 'pending'), before };
  });

async function sentBefore(tx: Tx, { orgId, destinationId, snapshotId }: DeliveryWork): Promise<SentBefore> {
  const rows = await tx.query<{ key: string; snapshot: string; isNewer: boolean }>({
    name: 'destinations.sent-before',
    text: `select distinct on (i.key) i.key, s.name as snapshot, s.taken_at > this.taken_at as "isNewer"
           from evidence_delivery d
           join evidence_delivery_item i on i.org_id = $1 and i.delivery_id = d.id and i.state = 'sent'
           join snapshot s on s.org_id = $1 and s.id = d.snapshot_id
           join snapshot this on this.org_id = $1 and this.id = $3
           where d.org_id = $1 and d.destination_id = $2 and d.snapshot_id <> $3
           order by i.key, s.taken_at desc`,
    values: [orgId, destinationId, snapshotId],
  });
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/** Sends the pending items. Returns why items were rejected for good. */
async function sendAll(
  services: Services,
  {
    work,
    snapshot,
    sender,
    plan: { pending, before },
  }: { work: DeliveryWork; snapshot: SnapshotContent; sender: Sender; plan: Plan },
): Promise<string[]> {
  const rejections: string[] = [];
  for (const [index, item] of pending.entries()) {
    const id = factId('export', work.destinationId, work.snapshotId, item.key);
    const newer = replaces(work.kind) ? before.get(item.key) : undefined;
    try {
      const sent: DeliveryResult = newer?.isNewer
        ? { state: 'skipped', message: `The newer snapshot ${newer.snapshot} was already sent. It is not replaced.` }
        : await sender.send(snapshot, { ...item, id });
      await storeItem(services, {
        deliveryWork: work,
        key: item.key,
        state: sent.state,
        message: sent.message,
        tells: (index + 1) % ITEMS_PER_UPDATE === 0,
      });
    } catch (error) {
      if (!(error instanceof DeliveryRejected) || error.when !== 'rejected') throw error;
      rejections.push(error.message);
      await storeItem(services, {
        deliveryWork: work,
        key: item.key,
        state: 'failed',
        message: error.message,
        tells: false,
      });
    }
  }
  return rejections;
}

const storeItem = (
  { database, realtime }: Services,
  {
    deliveryWork: { orgId, deliveryId },
    key,
    state,
    message,
    tells,
  }: { deliveryWork: DeliveryWork; key: string; state: 'sent' | 'skipped' | 'failed'; message: string; tells: boolean },
): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    await tx.db
      .updateTable('evidence_delivery_item')
      .set({ state, message, at: sql<Date>`now()` })
      .where('org_id', '=', orgId)
      .where('delivery_id', '=', deliveryId)
      .where('key', '=', key)
      .execute();
    await tx.db
      .updateTable('evidence_delivery')
      .set({ next_at: sql<Date>`now() + interval '15 minutes'` })
      .where('org_id', '=', orgId)
      .where('id', '=', deliveryId)
      .execute();
    if (tells) tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgEvidence', {}));
  });

const storeExchange = (
  { database }: Services,
  { orgId, deliveryId }: DeliveryJob,
  { request, status, response, failure, ms }: Exchange,
): Promise<void> =>
  database.withOrg(orgId, async ({ db }) => {
    const exists = await db
      .selectFrom('evidence_delivery')
      .select('id')
      .where('org_id', '=', orgId)
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    // The destination was removed during the delivery.
    if (!exists) throw new DeliveryRejected('blocked', 'The destination was removed.');
    await db
      .insertInto('evidence_exchange')
      .values({
        org_id: orgId,
        id: newId(),
        delivery_id: deliveryId,
        request,
        response_status: status,
        response,
        failure,
        ms,
      })
      .execute();
  });

/** Queues the next attempt, or ends the delivery after the last one. */
async function retry(services: Services, work: DeliveryWork, { message, wait }: DeliveryRejected): Promise<void> {
  const { orgId, deliveryId } = work;
  const isLast = await services.database.withOrg(orgId, async (tx) => {
    const row = await tx.db
      .updateTable('evidence_delivery')
      .set({ tries: sql`tries + 1`, problem: message })
      .where('org_id', '=', orgId)
      .where('id', '=', deliveryId)
      .returning('tries')
      .executeTakeFirst();
    if (!row) return false;
    const delay = retryDelaySeconds(EVIDENCE_RETRY_DELAYS_SECONDS, row.tries, { retryAfterSeconds: wait });
    if (delay === undefined) return true;
    const startAfter = secondsFromNow(delay);
    await tx.db
      .updateTable('evidence_delivery')
      .set({ next_at: startAfter })
      .where('org_id', '=', orgId)
      .where('id', '=', deliveryId)
      .execute();
    await services.jobs.enqueue(
      tx,
      'destinations.deliver',
      { orgId, deliveryId },
      { key: `${deliveryId} ${row.tries}`, startAfter },
    );
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', {}));
    return false;
  });
  if (isLast) await end(services, work, message);
}

/** Ends a delivery. `problem` is null if every item arrived. */
const end = (services: Services, work: DeliveryWork, problem: string | null): Promise<void> =>
  services.database.withOrg(work.orgId, async (tx) => {
    const { orgId, deliveryId, destinationId, snapshotId } = work;
    const ended = await tx.db
      .updateTable('evidence_delivery')
      .set({ state: problem === null ? 'sent' : 'failed', problem, ended_at: sql<Date>`now()` })
      .where('org_id', '=', orgId)
      .where('id', '=', deliveryId)
      .returning('id')
      .executeTakeFirst();
    // Removed during the delivery.
    if (!ended) return;
    const clock = { clock: true } as const;
    const destination = await findEvidenceDestination(tx, orgId, destinationId);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: clock,
      entry: {
        action: problem === null ? 'evidence_destination.snapshot_sent' : 'evidence_destination.snapshot_failed',
        subject: { kind: 'evidence_destination', id: destinationId },
        data: { ...auditDataOf(destination), snapshot: snapshotId },
      },
    });
    if (problem !== null) {
      const to = { kind: 'evidence_destination', id: destinationId, name: destination.name } as const;
      await raiseNotifications(services, tx, orgId, {
        actor: clock,
        notifications: [{ type: 'delivery.failed', to, deliveryId, because: problem }],
      });
    }
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', {}));
  });
