import type {
  Exporter,
  ExporterDelivery,
  ExporterDeliveryDetails,
  ExporterItem,
  ExporterKind,
  listExporters as listCall,
  listExporterDeliveries,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { contains, page } from '#database/page.ts';

type ExportersQuery = z.output<typeof listCall.query>;
type DeliveriesQuery = z.output<typeof listExporterDeliveries.query>;

const sorts = {
  'name-asc': ['e.name', 'asc'],
  'name-desc': ['e.name', 'desc'],
  'date-desc': ['e.created_at', 'desc'],
  'date-asc': ['e.created_at', 'asc'],
} as const satisfies Record<ExportersQuery['sort'], readonly ['e.name' | 'e.created_at', 'asc' | 'desc']>;

const selectExporters = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('exporter as e')
    .leftJoin('account_here as a', 'a.id', 'e.created_by')
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

/** Where snapshots can be sent, one page of it. */
export async function listExporters(tx: Tx, orgId: string, query: ExportersQuery): Promise<Page<Exporter[]>> {
  const [column, direction] = sorts[query.sort];
  const { rows, total } = await page(
    selectExporters(tx, orgId)
      .$if(query.search !== '', (q) => q.where((eb) => contains(eb.ref('e.name'), query.search)))
      .orderBy(column, direction)
      .orderBy('e.id'),
    query,
  );
  const last = await lastOf(
    tx,
    orgId,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => exporterOf(row, last.get(row.id))), total };
}

/** One exporter; 404 for any that is not there. */
export async function findExporter(tx: Tx, orgId: string, id: string): Promise<Exporter> {
  const row = await selectExporters(tx, orgId).where('e.id', '=', id).executeTakeFirst();
  if (!row) throw NotFound('Destination');
  return exporterOf(row, (await lastOf(tx, orgId, [id])).get(id));
}

const selectDeliveries = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('exporter_delivery as d')
    .innerJoin('snapshot as s', (join) => join.onRef('s.org_id', '=', 'd.org_id').onRef('s.id', '=', 'd.snapshot_id'))
    .leftJoin('account_here as a', 'a.id', 'd.asked_by')
    .where('d.org_id', '=', orgId)
    .select([
      'd.id',
      'd.exporter_id',
      'd.snapshot_id',
      's.name as snapshot',
      'd.state',
      'd.problem',
      'd.next_at',
      'd.asked_by',
      'd.asked_at',
      'd.ended_at',
      'a.name as asker',
      sql<number>`(select count(*)::int from exporter_item i where i.org_id = d.org_id and i.delivery_id = d.id)`.as(
        'total',
      ),
      sql<number>`(select count(*)::int from exporter_item i
        where i.org_id = d.org_id and i.delivery_id = d.id and i.state <> 'pending')`.as('done'),
    ]);

async function lastOf(tx: Tx, orgId: string, exporters: readonly string[]): Promise<Map<string, ExporterDelivery>> {
  if (exporters.length === 0) return new Map();
  const rows = await selectDeliveries(tx, orgId)
    .where('d.exporter_id', 'in', exporters)
    .distinctOn('d.exporter_id')
    .orderBy('d.exporter_id')
    .orderBy('d.asked_at', 'desc')
    .orderBy('d.id')
    .execute();
  return new Map(rows.map((row) => [row.exporter_id, deliveryOf(row)]));
}

/** The snapshots that were sent to an exporter, one page of them; 404 for an exporter that is not there. */
export async function listDeliveries(
  tx: Tx,
  orgId: string,
  exporterId: string,
  query: DeliveriesQuery,
): Promise<Page<ExporterDelivery[]>> {
  await findExporter(tx, orgId, exporterId);
  const { rows, total } = await page(
    selectDeliveries(tx, orgId)
      .where('d.exporter_id', '=', exporterId)
      .$if(query.search !== '', (q) => q.where((eb) => contains(eb.ref('s.name'), query.search)))
      .orderBy('d.asked_at', query.sort === 'date-asc' ? 'asc' : 'desc')
      .orderBy('d.id'),
    query,
  );
  return { rows: rows.map(deliveryOf), total };
}

/** One delivery; 404 for any that is not there. */
export async function findDelivery(tx: Tx, orgId: string, exporterId: string, id: string): Promise<ExporterDelivery> {
  const row = await selectDeliveries(tx, orgId)
    .where('d.exporter_id', '=', exporterId)
    .where('d.id', '=', id)
    .executeTakeFirst();
  if (!row) throw NotFound('Delivery');
  return deliveryOf(row);
}

/** One delivery with what it sends, and what was asked and answered; 404 for any that is not there. */
export async function findDeliveryDetails(
  tx: Tx,
  orgId: string,
  exporterId: string,
  id: string,
): Promise<ExporterDeliveryDetails> {
  const delivery = await findDelivery(tx, orgId, exporterId, id);
  const items = await tx.db
    .selectFrom('exporter_item')
    .select(['key', 'label', 'state', 'says', 'at'])
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', id)
    .orderBy('position')
    .execute();
  const log = await tx.db
    .selectFrom('exporter_exchange')
    .select(['id', 'at', 'request', 'answer_status', 'answer', 'failure', 'ms'])
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
      state: row.state as ExporterItem['state'],
      at: row.at?.toISOString() ?? null,
    })),
    log: log.map(({ answer_status, at, ...row }) => ({ ...row, at: at.toISOString(), answerStatus: answer_status })),
  };
}

type ExporterRow = Awaited<ReturnType<ReturnType<typeof selectExporters>['executeTakeFirstOrThrow']>>;
type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirstOrThrow']>>;

const exporterOf = (row: ExporterRow, last: ExporterDelivery | undefined): Exporter => ({
  id: row.id,
  kind: row.kind as ExporterKind,
  name: row.name,
  settings: row.settings as Exporter['settings'],
  state: !row.enabled ? 'off' : last?.state === 'failed' ? 'failing' : 'active',
  last: last ?? null,
  createdBy: { id: row.created_by, name: row.creator ?? 'Former member' },
  createdAt: row.created_at.toISOString(),
});

const deliveryOf = (row: DeliveryRow): ExporterDelivery => ({
  id: row.id,
  snapshot: { id: row.snapshot_id, name: row.snapshot },
  state: row.state as ExporterDelivery['state'],
  done: row.done,
  total: row.total === 0 && row.state === 'pending' ? null : row.total,
  problem: row.problem,
  askedBy: { id: row.asked_by, name: row.asker ?? 'Former member' },
  askedAt: row.asked_at.toISOString(),
  nextAt: row.state === 'pending' ? row.next_at.toISOString() : null,
  endedAt: row.ended_at?.toISOString() ?? null,
});
