import type { Page } from '@sightline/contract/core/endpoint.ts';
import type {
  listOutgoingDeliveries,
  listOutgoingWebhooks,
  OutgoingDelivery,
  OutgoingDeliveryDetail,
  OutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';

type WebhooksQuery = z.output<typeof listOutgoingWebhooks.query>;
type DeliveriesQuery = z.output<typeof listOutgoingDeliveries.query>;

const sorts = {
  'date-desc': ['w.created_at', 'desc'],
  'date-asc': ['w.created_at', 'asc'],
  'url-asc': ['w.url', 'asc'],
  'url-desc': ['w.url', 'desc'],
} as const satisfies Record<WebhooksQuery['sort'], readonly ['w.created_at' | 'w.url', 'asc' | 'desc']>;

const selectWebhooks = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('outgoing_webhook as w')
    .leftJoin('visible_account as a', 'a.id', 'w.created_by')
    .where('w.org_id', '=', orgId)
    .select([
      'w.id',
      'w.url',
      'w.description',
      'w.types',
      'w.enabled',
      'w.failing_since',
      'w.auto_disabled_at',
      'w.created_by',
      'w.created_at',
      'a.name as creator',
      sql<Date | null>`case when w.previous_until > now() then w.previous_until end`.as('previous_until'),
    ]);

/** One page of the outgoing webhooks of the organization. */
export async function listWebhooks(tx: Tx, orgId: string, query: WebhooksQuery): Promise<Page<OutgoingWebhook[]>> {
  const [column, direction] = sorts[query.sort];
  const { search } = query;
  const { rows, total } = await fetchPage(
    selectWebhooks(tx, orgId)
      .$if(search !== '', (q) =>
        q.where((eb) => eb.or([containsText(eb.ref('w.url'), search), containsText(eb.ref('w.description'), search)])),
      )
      .orderBy(column, direction)
      .orderBy('w.id'),
    query,
  );
  return { rows: rows.map(webhookOf), total };
}

/** One outgoing webhook. Throws 404. */
export async function findWebhook(tx: Tx, orgId: string, id: string): Promise<OutgoingWebhook> {
  const row = await selectWebhooks(tx, orgId).where('w.id', '=', id).executeTakeFirst();
  if (!row) throw NotFound('Webhook');
  return webhookOf(row);
}

const selectDeliveries = ({ db }: Tx, orgId: string, webhookId: string) =>
  db
    .selectFrom('outgoing_delivery as d')
    .leftJoin('outgoing_attempt as t', (join) =>
      join.onRef('t.org_id', '=', 'd.org_id').onRef('t.delivery_id', '=', 'd.id').onRef('t.number', '=', 'd.attempts'),
    )
    .where('d.org_id', '=', orgId)
    .where('d.webhook_id', '=', webhookId)
    .select([
      'd.id',
      'd.type',
      'd.status',
      'd.attempts',
      'd.created_at',
      'd.next_at',
      't.number',
      't.at',
      't.response_status',
      't.failure',
      't.ms',
    ]);

/** One page of the deliveries of a webhook. Throws 404. */
export async function listDeliveries(
  tx: Tx,
  orgId: string,
  webhookId: string,
  query: DeliveriesQuery,
): Promise<Page<OutgoingDelivery[]>> {
  await findWebhook(tx, orgId, webhookId);
  const { rows, total } = await fetchPage(
    selectDeliveries(tx, orgId, webhookId)
      .$if(query.status.length > 0, (q) => q.where('d.status', 'in', query.status))
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('d.type'), query.search)))
      .orderBy('d.created_at', query.sort === 'date-asc' ? 'asc' : 'desc')
      .orderBy('d.id'),
    query,
  );
  return { rows: rows.map(deliveryOf), total };
}

/** One delivery. Throws 404. */
export async function findDelivery(tx: Tx, orgId: string, webhookId: string, id: string): Promise<OutgoingDelivery> {
  const row = await selectDeliveries(tx, orgId, webhookId).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw NotFound('Delivery');
  return deliveryOf(row);
}

/** One delivery with its request body and the response to each attempt. Throws 404. */
export async function findDeliveryDetail(
  tx: Tx,
  orgId: string,
  webhookId: string,
  id: string,
): Promise<OutgoingDeliveryDetail> {
  const delivery = await findDelivery(tx, orgId, webhookId, id);
  const { body } = await tx.db
    .selectFrom('outgoing_delivery')
    .select('body')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const log = await tx.db
    .selectFrom('outgoing_attempt')
    .select(['number', 'at', 'response_status', 'response', 'failure', 'ms'])
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .limit(100)
    .execute();
  return { ...delivery, body, log: log.map((row) => ({ ...attemptOf(row), response: row.response })) };
}

type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['execute']>>[number];
type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number];

const webhookOf = (row: WebhookRow): OutgoingWebhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  types: row.types,
  state: stateOf(row),
  failingSince: row.failing_since?.toISOString() ?? null,
  previousSecretUntil: row.previous_until?.toISOString() ?? null,
  createdBy: { id: row.created_by, name: row.creator ?? 'Former member' },
  createdAt: row.created_at.toISOString(),
});

function stateOf({ enabled, failing_since, auto_disabled_at }: WebhookRow): OutgoingWebhook['state'] {
  if (!enabled) return auto_disabled_at === null ? 'off' : 'auto_disabled';
  return failing_since === null ? 'active' : 'failing';
}

const deliveryOf = (row: DeliveryRow): OutgoingDelivery => {
  const { number, at, ms } = row;
  return {
    id: row.id,
    type: row.type,
    status: row.status as OutgoingDelivery['status'],
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    nextAt: row.status === 'pending' ? row.next_at.toISOString() : null,
    lastAttempt: number !== null && at !== null && ms !== null ? attemptOf({ ...row, number, at, ms }) : null,
  };
};

const attemptOf = (row: {
  number: number;
  at: Date;
  response_status: number | null;
  failure: string | null;
  ms: number;
}) => ({
  number: row.number,
  at: row.at.toISOString(),
  responseStatus: row.response_status,
  failure: row.failure,
  ms: row.ms,
});
