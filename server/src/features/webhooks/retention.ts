import type { Services } from '#core/services.ts';
import { nobody } from './nobody.ts';

const day = 24 * 60 * 60_000;
const batch = 500;

/**
 * Deletes the bodies of deliveries that were worked off long enough ago, and everything that came that long ago for
 * nobody's installation. The row of a delivery stays, so that a replay of it changes nothing.
 */
export async function forgetBodies({ config, database }: Services): Promise<void> {
  const before = new Date(Date.now() - config.WEBHOOK_BODY_DAYS * day);
  const { rows } = await database.pool.query<{ id: string }>('select orgs_with_old_webhooks($1) as id', [before]);
  const until = async (orgId: string, text: string) => {
    const values = [orgId, before, batch];
    while ((await database.withOrg(orgId, (tx) => tx.query({ name: '', text, values }))).length === batch);
  };
  for (const { id } of rows) await until(id, forgetSql);
  await until(nobody, deleteSql);
}

const forgetSql = `
  update webhook_delivery set body = '', body_deleted_at = now()
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
