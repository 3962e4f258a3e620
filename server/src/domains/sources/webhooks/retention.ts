import { RESTORE_PERIOD_DAYS } from '@sightline/contract/organization/organizations.ts';
import { NIL_UUID } from '#core/ids.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';

const dayMs = 24 * 60 * 60_000;
const MAX_ROWS_PER_BATCH = 500;

/**
 * Deletes the bodies of deliveries that were processed before the retention time, and of pending ones of organizations
 * that can no longer be restored. The rows remain, so that a replay changes nothing. Deletes old deliveries of
 * installations without an organization entirely.
 */
export async function deleteOldBodies(services: Services): Promise<void> {
  const { config, database } = services;
  const job = 'webhook.forget';
  const before = daysAgo(config.WEBHOOK_BODY_DAYS);
  const runInBatches = async (orgId: string, text: string, values: readonly unknown[]) => {
    const query = { name: '', text, values: [orgId, ...values, MAX_ROWS_PER_BATCH] };
    while ((await database.withOrg(orgId, (tx) => tx.query(query))).length === MAX_ROWS_PER_BATCH);
  };
  const archived = {
    organizations: 'select orgs_archived_with_webhooks($1) as id',
    values: [daysAgo(RESTORE_PERIOD_DAYS)],
  };
  const old = { organizations: 'select orgs_with_old_webhooks($1) as id', values: [before] };
  try {
    await forEachOrganization(services, { job, ...archived }, (orgId) => runInBatches(orgId, abandonSql, []));
  } finally {
    try {
      await forEachOrganization(services, { job, ...old }, (orgId) => runInBatches(orgId, deleteBodiesSql, [before]));
    } finally {
      await runInBatches(NIL_UUID, deleteSql, [before]);
    }
  }
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

const abandonSql = `
  update webhook_delivery
  set processed_at = now(), error = 'The organization can no longer be restored.', body = '', packed = null, body_deleted_at = now()
  where (org_id, provider, delivery_id) in (
    select org_id, provider, delivery_id from webhook_delivery
    where org_id = $1 and processed_at is null order by received_at limit $2)
  returning delivery_id`;

const deleteBodiesSql = `
  update webhook_delivery set body = '', packed = null, body_deleted_at = now()
  where (org_id, provider, delivery_id) in (
    select org_id, provider, delivery_id from webhook_delivery
    where org_id = $1 and processed_at < $2 and body_deleted_at is null order by processed_at limit $3)
  returning delivery_id`;

const deleteSql = `
  delete from webhook_delivery
  where (org_id, provider, delivery_id) in (
    select org_id, provider, delivery_id from webhook_delivery
    where org_id = $1 and received_at < $2 order by received_at limit $3)
  returning delivery_id`;
