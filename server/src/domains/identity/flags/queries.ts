import type { Flag } from '@sightline/contract/core/flags.ts';
import type { Tx } from '#database/database.ts';

export interface FlagUsageCount {
  name: string;
  /** The number of evaluations with the result on, and off. */
  yes: number;
  no: number;
}

/** The number of evaluations of each flag since a time, by name. Flags without evaluations are omitted. */
export async function listFlagUsage({ db }: Tx, since: Date): Promise<FlagUsageCount[]> {
  const rows = await db
    .selectFrom('flag_usage')
    .select(({ fn }) => ['name', fn.sum<string>('yes').as('yes'), fn.sum<string>('no').as('no')])
    .where('hour', '>=', since)
    .groupBy('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name, yes, no }) => ({ name, yes: Number(yes), no: Number(no) }));
}

/** The scope of a setting: global, one organization, or one account. */
export type FlagScope = { orgId: string } | { accountId: string } | 'everybody';

/** The setting of exactly this scope; undefined if there is none, so that the next wider scope applies. */
export async function findFlagSetting({ db }: Tx, scope: FlagScope, name: Flag): Promise<boolean | undefined> {
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
