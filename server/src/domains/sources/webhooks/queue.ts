import type { Provider } from '@sightline/contract/core/providers.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import type { StoredBody } from './body.ts';
import type { Delivery } from './delivery.ts';

const MAX_DELIVERIES_PER_BATCH = 50;

// The handlers of these events do nothing if the repository is not enabled.
const repositoryEvents: readonly string[] = ['pull_request', 'pull_request_review'];
// After these events, other repositories may be enabled.
const selectionEvents: readonly string[] = ['installation', 'installation_repositories', 'repository'];

/** Whether a delivery is irrelevant unless its repository is enabled. */
export const isRepositoryEvent = (provider: Provider, event: string): boolean =>
  provider === 'github' && repositoryEvents.includes(event);

/**
 * The next deliveries to process, oldest first. If a repository is enabled after its delivery was irrelevant, its import
 * includes the changes.
 */
export async function pendingDeliveries(tx: Tx, orgId: string): Promise<Delivery[]> {
  const rows = await tx.query<Omit<Delivery, 'body'> & StoredBody>({
    name: 'webhooks.open',
    text: openSql,
    values: [orgId, MAX_DELIVERIES_PER_BATCH, selectionEvents],
  });
  return rows.map(({ body, packed, ...row }) => ({ ...row, body: { body, packed } }));
}

const openSql = `
  with open as materialized (
    select * from webhook_delivery
    where org_id = $1 and processed_at is null and (not_before is null or not_before <= now())
    order by received_at, delivery_id limit $2
  ), known as (
    select open.*, provider_repo_id is not null
      and not exists (select from open s where s.provider = 'github' and s.event = any($3::text[]))
      and not exists (
        select from repository r where r.org_id = $1 and r.provider = open.provider
          and r.provider_repo_id = open.provider_repo_id and r.tracked and r.removed_at is null) as is_irrelevant
    from open
  )
  select delivery_id as id, provider, hook_id as "hookId", event, received_at as "receivedAt", is_irrelevant as "isIrrelevant",
    case when is_irrelevant then '' else body end as body, case when not is_irrelevant then packed end as packed
  from known order by received_at, delivery_id`;

/** When the first deferred delivery is due; undefined if none is deferred. */
export async function nextDeferred(tx: Tx, orgId: string): Promise<Date | undefined> {
  const [row] = await tx.query<{ at: Date | null }>({
    name: 'webhooks.nextDeferred',
    text: 'select min(not_before) as at from webhook_delivery where org_id = $1 and processed_at is null',
    values: [orgId],
  });
  return row?.at ?? undefined;
}

/** A delivery that is deferred until the rate limit of its code host ends. */
export interface DeferredDelivery {
  provider: string;
  id: string;
  until: Date;
}

export const deferDeliveries = (tx: Tx, orgId: string, deferred: readonly DeferredDelivery[]) =>
  tx.query({
    name: 'webhooks.defer',
    text: `update webhook_delivery d set not_before = f.until
           from unnest($2::text[], $3::text[], $4::timestamptz[]) as f(provider, id, until)
           where d.org_id = $1 and d.provider = f.provider and d.delivery_id = f.id`,
    values: [
      orgId,
      deferred.map(({ provider }) => provider),
      deferred.map(({ id }) => id),
      deferred.map(({ until }) => until),
    ],
  });

/** A processed delivery; `error` is the reason of a failure. */
export interface ProcessedDelivery {
  provider: string;
  id: string;
  at: Date;
  error: string | null;
}

/** Marks deliveries as processed, and the webhooks (`hookIds`) that received them as working. */
export async function finishDeliveries(
  tx: Tx,
  orgId: string,
  finished: readonly ProcessedDelivery[],
  hookIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'webhooks.finish',
    text: 'select finish_deliveries($1, $2::text[], $3::text[], $4::timestamptz[], $5::text[])',
    values: [
      orgId,
      finished.map(({ provider }) => provider),
      finished.map(({ id }) => id),
      finished.map(({ at }) => at),
      finished.map(({ error }) => error?.replaceAll('\0', '').slice(0, 2000) ?? null),
    ],
  });
  if (hookIds.length === 0) return;
  await tx.query({
    name: 'webhooks.record-hook-success',
    text: `update code_host_hook set last_delivery_at = now(), failed_at = null, failure = null
           where org_id = $1 and id = any($2::uuid[])`,
    values: [orgId, [...new Set(hookIds)]],
  });
}

/** Marks a delivery whose processing failed as unprocessed. Throws 404 for any other, and 409 without its body. */
export async function reopenDelivery(tx: Tx, orgId: string, id: string): Promise<void> {
  const [failed] = await tx.query<{ has_body: boolean }>({
    name: 'webhooks.reopen',
    text: `with failed as (
             select provider, body_deleted_at is null as has_body from webhook_delivery
             where org_id = $1 and delivery_id = $2 and processed_at is not null and error is not null
           ), reopened as (
             update webhook_delivery w set processed_at = null, error = null, not_before = null
             from failed f where w.org_id = $1 and w.provider = f.provider and w.delivery_id = $2 and f.has_body
           )
           select has_body from failed order by has_body desc limit 1`,
    values: [orgId, id],
  });
  if (!failed) throw NotFound('Failed webhook');
  if (!failed.has_body) throw Conflict('The body of this webhook was deleted. Ask the code host to deliver it again.');
}
