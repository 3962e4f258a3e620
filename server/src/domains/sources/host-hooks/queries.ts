import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { SecretLocation } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import { acceptedSecrets } from '#core/signatures.ts';
import type { Tx } from '#database/database.ts';

/** The secrets of a webhook, one of which must verify a delivery, and its organization. */
export interface HookSecrets {
  secrets: string[];
  orgId: string;
  /** An earlier delivery of this webhook was signed, so that every delivery must be. */
  mustSign: boolean;
}

/** Finds the signer of one of our webhooks by its ID in the URL; undefined if unknown. */
export async function maybeHookSecrets(
  { database, secrets }: Services,
  provider: string,
  hookId: string,
): Promise<HookSecrets | undefined> {
  const [found] = await database.global((tx) =>
    tx.query<{ org: string | null }>({
      name: 'host-hooks.org',
      text: 'select org_of_host_hook($1::uuid) as org',
      values: [hookId],
    }),
  );
  const orgId = found?.org;
  if (!orgId) return undefined;
  const row = await database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('code_host_hook as h')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'h.org_id').onRef('r.id', '=', 'h.repository_id'),
      )
      .where('h.org_id', '=', orgId)
      .where('h.id', '=', hookId)
      .where('r.provider', '=', provider)
      .select(['h.secret', 'h.signed_at', 'h.previous_secret', 'h.previous_until'])
      .executeTakeFirst(),
  );
  if (!row) return undefined;
  const sealed = acceptedSecrets(row.secret, row.previous_secret, row.previous_until);
  const opened = sealed.map((secret) => secrets.open(hookSecretLocation(orgId, hookId), secret).toString());
  return { orgId, secrets: opened, mustSign: row.signed_at !== null };
}

/** The location of the encrypted secret of one of our webhooks. */
export const hookSecretLocation = (org: string, id: string): SecretLocation => ({
  org,
  table: 'code_host_hook',
  field: `secret of ${id}`,
});

/** Counts our webhooks that a host refused to create (`refused`) or to remove (`left`). */
export async function summarizeHooks(
  { db }: Tx,
  orgId: string,
  provider: Provider,
): Promise<{ refused: number; left: number; failure: string | null }> {
  const row = await db
    .selectFrom('code_host_hook as h')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'h.org_id').onRef('r.id', '=', 'h.repository_id'),
    )
    .where('h.org_id', '=', orgId)
    .where('r.provider', '=', provider)
    .where('h.failed_at', 'is not', null)
    .select([
      sql<number>`count(*) filter (where h.host_hook_id is null)`.as('refused'),
      sql<number>`count(*) filter (where h.host_hook_id is not null)`.as('left'),
      sql<string | null>`max(h.failure)`.as('failure'),
    ])
    .executeTakeFirstOrThrow();
  return { refused: Number(row.refused), left: Number(row.left), failure: row.failure };
}
