import type {
  EvidenceDelivery,
  EvidenceDeliveryDetails,
  EvidenceDestination,
  EvidenceDestinationKind,
  EvidenceItem,
  listEvidenceDestinations as listCall,
  listEvidenceDeliveries,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';

type EvidenceDestinationsQuery = z.output<typeof listCall.query>;
type DeliveriesQuery = z.output<typeof listEvidenceDeliveries.query>;

const sorts = {
  'name-asc': ['e.name', 'asc'],
  'name-desc': ['e.name', 'desc'],
  'date-desc': ['e.created_at', 'desc'],
  'date-asc': ['e.created_at', 'asc'],
} as const satisfies Record<EvidenceDestinationsQuery['sort'], readonly ['e.name' | 'e.created_at', 'asc' | 'desc']>;

const selectEvidenceDestinations = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('evidence_destination as e')
    .leftJoin('visible_account as a', 'a.id', 'e.created_by')
    .where('e.org_id', '=', orgId)
    .select([
      'e.id',
      'e.kind',
      'e.name',
      'e.settings',
      'e.enabled',
      'e.created_by',
      'e.created_at',
      'a.name as creator',
    ]);

/** Returns one page of the evidence destinations. */
export async function listEvidenceDestinations(
  tx: Tx,
  orgId: string,
  query: EvidenceDestinationsQuery,
): Promise<Page<EvidenceDestination[]>> {
  const [column, direction] = sorts[query.sort];
  const { rows, total } = await fetchPage(
    selectEvidenceDestinations(tx, orgId)
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('e.name'), query.search)))
      .orderBy(column, direction)
      .orderBy('e.id'),
    query,
  );
  const last = await lastOf(
    tx,
    orgId,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => evidenceDestinationOf(row, last.get(row.id))), total };
}

/** Returns a destination. Throws 404. */
export async function findEvidenceDestination(tx: Tx, orgId: string, id: string): Promise<EvidenceDestination> {
  const row = await selectEvidenceDestinations(tx, orgId).where('e.id', '=', id).executeTakeFirst();
  if (!row) throw NotFound('Destination');
  return evidenceDestinationOf(row, (await lastOf(tx, orgId, [id])).get(id));
}

const selectDeliveries = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('evidence_delivery as d')
    .innerJoin('snapshot as s', (join) => join.onRef('s.org_id', '=', 'd.org_id').onRef('s.id', '=', 'd.snapshot_id'))
    .leftJoin('visible_account as a', 'a.id', 'd.requested_by')
    .where('d.org_id', '=', orgId)
    .select([
      'd.id',
      'd.destination_id',
      'd.snapshot_id',
      's.name as snapshot',
      'd.state',
      'd.problem',
      'd.next_at',
      'd.requested_by',
      'd.requested_at',
      'd.ended_at',
      'a.name as asker',
      sql<number>`(select count(*)::int from evidence_delivery_item i where i.org_id = d.org_id and i.delivery_id = d.id)`.as(
        'total',
      ),
      sql<number>`(select count(*)::int from evidence_delivery_item i
        where i.org_id = d.org_id and i.delivery_id = d.id and i.state <> 'pending')`.as('done'),
    ]);

async function lastOf(tx: Tx, orgId: string, destinations: readonly string[]): Promise<Map<string, EvidenceDelivery>> {
  if (destinations.length === 0) return new Map();
  const rows = await selectDeliveries(tx, orgId)
    .where('d.destination_id', 'in', destinations)
    .distinctOn('d.destination_id')
    .orderBy('d.destination_id')
    .orderBy('d.requested_at', 'desc')
    .orderBy('d.id')
    .execute();
  return new Map(rows.map((row) => [row.destination_id, deliveryOf(row)]));
}

/** Returns one page of the deliveries of a destination. Throws 404. */
export async function listDeliveries(
  tx: Tx,
  orgId: string,
  destinationId: string,
  query: DeliveriesQuery,
): Promise<Page<EvidenceDelivery[]>> {
  await findEvidenceDestination(tx, orgId, destinationId);
  const { rows, total } = await fetchPage(
    selectDeliveries(tx, orgId)
      .where('d.destination_id', '=', destinationId)
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('s.name'), query.search)))
      .orderBy('d.requested_at', query.sort === 'date-asc' ? 'asc' : 'desc')
      .orderBy('d.id'),
    query,
  );
  return { rows: rows.map(deliveryOf), total };
}

/** Returns a delivery. Throws 404. */
export async function findDelivery(
  tx: Tx,
  orgId: string,
  destinationId: string,
  id: string,
): Promise<EvidenceDelivery> {
  const row = await selectDeliveries(tx, orgId)
    .where('d.destination_id', '=', destinationId)
    .where('d.id', '=', id)
    .executeTakeFirst();
  if (!row) throw NotFound('Delivery');
  return deliveryOf(row);
}

/** Returns a delivery with its items, requests and responses. Throws 404. */
export async function findDeliveryDetails(
  tx: Tx,
  orgId: string,
  destinationId: string,
  id: string,
): Promise<EvidenceDeliveryDetails> {
  const delivery = await findDelivery(tx, orgId, destinationId, id);
  const items = await tx.db
    .selectFrom('evidence_delivery_item')
    .select(['key', 'label', 'state', 'message', 'at'])
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', id)
    .orderBy('position')
    .execute();
  const log = await tx.db
    .selectFrom('evidence_exchange')
    .select(['id', 'at', 'request', 'response_status', 'response', 'failure', 'ms'])
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute();
  return {
    ...delivery,
    items: items.map((row) => ({
      ...row,
      state: row.state as EvidenceItem['state'],
      at: row.at?.toISOString() ?? null,
    })),
    log: log.map(({ response_status, at, ...row }) => ({
      ...row,
      at: at.toISOString(),
      responseStatus: response_status,
    })),
  };
}

type EvidenceDestinationRow = Awaited<
  ReturnType<ReturnType<typeof selectEvidenceDestinations>['executeTakeFirstOrThrow']>
>;
type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirstOrThrow']>>;

const evidenceDestinationOf = (
  row: EvidenceDestinationRow,
  last: EvidenceDelivery | undefined,
): EvidenceDestination => ({
  id: row.id,
  kind: row.kind as EvidenceDestinationKind,
  name: row.name,
  settings: row.settings as EvidenceDestination['settings'],
  state: !row.enabled ? 'off' : last?.state === 'failed' ? 'failing' : 'active',
  last: last ?? null,
  createdBy: { id: row.created_by, name: row.creator ?? 'Former member' },
  createdAt: row.created_at.toISOString(),
});

const deliveryOf = (row: DeliveryRow): EvidenceDelivery => ({
  id: row.id,
  snapshot: { id: row.snapshot_id, name: row.snapshot },
  state: row.state as EvidenceDelivery['state'],
  done: row.done,
  total: row.total === 0 && row.state === 'pending' ? null : row.total,
  problem: row.problem,
  requestedBy: { id: row.requested_by, name: row.asker ?? 'Former member' },
  requestedAt: row.requested_at.toISOString(),
  nextAt: row.state === 'pending' ? row.next_at.toISOString() : null,
  endedAt: row.ended_at?.toISOString() ?? null,
});
