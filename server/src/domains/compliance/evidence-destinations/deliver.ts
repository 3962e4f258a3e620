import {
  EVIDENCE_RETRY_DELAYS_SECONDS,
  type EvidenceDestinationKind,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import { Refusal } from '#core/errors.ts';
import { factId, newId } from '#core/ids.ts';
import type { JobData } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { secretOf, whereOf } from './commands.ts';
import { type FrozenSnapshot, openSnapshot } from './frozen-snapshot.ts';
import type { DeliveryResult, Item, Sender, SentBefore } from './kind.ts';
import { itemsFor, replaces, senderFor } from './kinds.ts';
import { findEvidenceDestination } from './queries.ts';
import { createSink, type Exchanged, NotTaken } from './sink.ts';

type DeliveryJob = JobData['destinations.deliver'];

interface DeliveryWork extends DeliveryJob {
  destinationId: string;
  snapshotId: string;
  kind: EvidenceDestinationKind;
  settings: Record<string, unknown>;
  secret: string;
}

/** Nobody may put it off for longer than the longest wait there is. */
const longestWait = Math.max(...EVIDENCE_RETRY_DELAYS_SECONDS);
/** People look on: not at each of a thousand. */
const tellEvery = 25;

/** Sends what of a snapshot has not arrived yet. Twice does nothing twice; what cannot be sent now is tried again later. */
export async function deliver(services: Services, named: DeliveryJob): Promise<void> {
  const work = await services.database.withOrg(named.orgId, (tx) => take(services, tx, named));
  if (!work) return;
  const sink = createSink(services.outboundFor(named.orgId, 'evidence_destination'), (exchanged) =>
    keepExchange(services, named, exchanged),
  );
  try {
    const snapshot = await openSnapshot(services, work.orgId, work.snapshotId);
    const items = await plan(services, work, snapshot);
    const refused = await sendAll(services, {
      work,
      snapshot,
      sender: senderFor(work.kind, work.settings, work.secret, sink),
      plan: items,
    });
    await end(
      services,
      work,
      refused.length === 0 ? null : `${refused.length} of ${items.all} were not delivered. ${refused[0]}`,
    );
  } catch (error) {
    if (error instanceof NotTaken && error.when === 'later') return retry(services, work, error);
    if (error instanceof NotTaken || error instanceof Refusal) return end(services, work, error.message);
    throw error;
  }
}

/** Whoever takes it has a quarter of an hour for each item; if the process dies, another one takes it then. */
async function take(services: Services, tx: Tx, { orgId, deliveryId }: DeliveryJob): Promise<DeliveryWork | undefined> {
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
  const secret = await secretOf(services, tx, orgId, row.destination_id);
  const { destination_id: destinationId, snapshot_id: snapshotId } = row;
  return { orgId, deliveryId, destinationId, snapshotId, kind, settings, secret };
}

interface Plan {
  all: number;
  pending: Item[];
  before: SentBefore;
}

/** What goes there, put down before anything is sent. */
const plan = ({ database, realtime }: Services, work: DeliveryWork, snapshot: FrozenSnapshot): Promise<Plan> =>
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
    tx.afterCommit(() => realtime.tell(orgId, 'orgEvidence', {}));
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

/** Answers why items were refused that stay refused. */
async function sendAll(
  services: Services,
  {
    work,
    snapshot,
    sender,
    plan: { pending, before },
  }: { work: DeliveryWork; snapshot: FrozenSnapshot; sender: Sender; plan: Plan },
): Promise<string[]> {
  const refused: string[] = [];
  for (const [index, item] of pending.entries()) {
    const id = factId('export', work.destinationId, work.snapshotId, item.key);
    const newer = replaces(work.kind) ? before.get(item.key) : undefined;
    try {
      const sent: DeliveryResult = newer?.isNewer
        ? { state: 'skipped', message: `The newer snapshot ${newer.snapshot} was already sent. It is not replaced.` }
        : await sender.send(snapshot, { ...item, id });
      await keepItem(services, {
        deliveryWork: work,
        key: item.key,
        state: sent.state,
        message: sent.message,
        tells: (index + 1) % tellEvery === 0,
      });
    } catch (error) {
      if (!(error instanceof NotTaken) || error.when !== 'never') throw error;
      refused.push(error.message);
      await keepItem(services, {
        deliveryWork: work,
        key: item.key,
        state: 'failed',
        message: error.message,
        tells: false,
      });
    }
  }
  return refused;
}

const keepItem = (
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
    if (tells) tx.afterCommit(() => realtime.tell(orgId, 'orgEvidence', {}));
  });

const keepExchange = (
  { database }: Services,
  { orgId, deliveryId }: DeliveryJob,
  { request, status, response, failure, ms }: Exchanged,
): Promise<void> =>
  database.withOrg(orgId, async ({ db }) => {
    const there = await db
      .selectFrom('evidence_delivery')
      .select('id')
      .where('org_id', '=', orgId)
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    // The destination was removed while it was on its way.
    if (!there) throw new NotTaken('shut_out', 'The destination was removed.');
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

/** Puts it off, or ends it after the last try. */
async function retry(services: Services, work: DeliveryWork, { message, wait }: NotTaken): Promise<void> {
  const { orgId, deliveryId } = work;
  const isOver = await services.database.withOrg(orgId, async (tx) => {
    const row = await tx.db
      .updateTable('evidence_delivery')
      .set({ tries: sql`tries + 1`, problem: message })
      .where('org_id', '=', orgId)
      .where('id', '=', deliveryId)
      .returning('tries')
      .executeTakeFirst();
    if (!row) return false;
    const seconds = EVIDENCE_RETRY_DELAYS_SECONDS[row.tries - 1];
    if (seconds === undefined) return true;
    // Some chance, or all that failed together would come back together.
    const later = Math.max(seconds, Math.min(wait, longestWait)) * (1 + Math.random() * 0.2);
    const startAfter = new Date(Date.now() + later * 1000);
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
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', {}));
    return false;
  });
  if (isOver) await end(services, work, message);
}

/** `problem` null: everything that was to be sent arrived. */
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
    // Removed while it was on its way.
    if (!ended) return;
    const clock = { clock: true } as const;
    const destination = await findEvidenceDestination(tx, orgId, destinationId);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      doer: clock,
      entry: {
        action: problem === null ? 'evidence_destination.snapshot_sent' : 'evidence_destination.snapshot_failed',
        subject: { kind: 'evidence_destination', id: destinationId },
        data: { ...whereOf(destination), snapshot: snapshotId },
      },
    });
    if (problem !== null) {
      const to = { kind: 'evidence_destination', id: destinationId, name: destination.name } as const;
      await raise(services, tx, orgId, {
        doer: clock,
        news: { type: 'delivery.failed', to, deliveryId, because: problem },
      });
    }
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', {}));
  });
