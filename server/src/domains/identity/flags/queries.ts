import type { Flag } from '@sightline/contract/core/flags.ts';
import type { Tx } from '#database/database.ts';

export interface Usage {
  name: string;
  /** How often the answer was on, and off. */
  yes: number;
  no: number;
}

/** How often pages asked for each flag since a time, by name. A flag nobody asked for is missing. */
export async function listUsage({ db }: Tx, since: Date): Promise<Usage[]> {
  const rows = await db
    .selectFrom('flag_usage')
    .select(({ fn }) => ['name', fn.sum<string>('yes').as('yes'), fn.sum<string>('no').as('no')])
    .where('hour', '>=', since)
    .groupBy('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name, yes, no }) => ({ name, yes: Number(yes), no: Number(no) }));
}

/** Whose flags: everybody's, an organization's, or one account's. */
export type FlagScope = { orgId: string } | { accountId: string } | 'everybody';

/** What operators set for a scope itself; undefined: nothing, so that the next wider scope decides. */
export async function maybeSet({ db }: Tx, scope: FlagScope, name: Flag): Promise<boolean | undefined> {
  const query =
    scope === 'everybody'
      ? db.selectFrom('feature_flag').select('enabled').where('name', '=', name)
      : 'orgId' in scope
        ? db
            .selectFrom('organization_flag')
            .select('enabled')
            .where('org_id', '=', scope.orgId)
            .where('name', '=', name)
        : db
            .selectFrom('account_flag')
            .select('enabled')
            .where('account_id', '=', scope.accountId)
            .where('name', '=', name);
  return (await query.executeTakeFirst())?.enabled;
}
