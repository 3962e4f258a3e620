import type { StatusCheck } from '@sightline/contract/sources/status-checks.ts';
import type { SecretLocation } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** The status check URL of an organization; null if there is none. */
export async function maybeStatusCheck({ config }: Services, { db }: Tx, orgId: string): Promise<StatusCheck | null> {
  const row = await db
    .selectFrom('status_check_hook')
    .select(['id', 'created_at'])
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row ? { address: statusCheckUrl(config.PUBLIC_URL, row.id), createdAt: row.created_at.toISOString() } : null;
}

export const statusCheckUrl = (publicURL: string, id: string): string =>
  `${publicURL}/api/webhooks/gitlab/status-check?hook=${id}`;

/** The location of the encrypted secret that status checks sign with. */
export const statusCheckSecretLocation = (org: string, id: string): SecretLocation => ({
  org,
  table: 'status_check_hook',
  field: `secret of ${id}`,
});

/** The organization and the signing secret of a status check URL; undefined if it is unknown. */
export async function maybeStatusCheckHook(
  { database, secrets }: Services,
  id: string,
): Promise<{ orgId: string; secret: string } | undefined> {
  const [found] = await database.global((tx) =>
    tx.query<{ org: string | null }>({
      name: 'status-checks.org',
      text: 'select org_of_status_check($1::uuid) as org',
      values: [id],
    }),
  );
  const orgId = found?.org;
  if (!orgId) return undefined;
  const row = await database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('status_check_hook')
      .select('secret')
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  return row && { orgId, secret: secrets.open(statusCheckSecretLocation(orgId, id), row.secret).toString() };
}
