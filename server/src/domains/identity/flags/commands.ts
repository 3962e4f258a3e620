import { type Flag, flagNames } from '@sightline/contract/core/flags.ts';
import type { FlagUsage } from '@sightline/contract/identity/feature-flags.ts';
import { sql } from 'kysely';
import { record } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { recordOperator, tellOrganizations } from '#core/operator-log.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type FlagScope, maybeSet } from './queries.ts';

/** Adds a client's counts to those of this hour. Names that are no flags of ours are left out. */
export async function countUsage(services: Services, usage: FlagUsage): Promise<{ accepted: true }> {
  const { toggles } = usage.bucket;
  // In one order for everybody: two reports that lock the same rows must not wait for each other.
  const counted = flagNames.filter((name) => toggles[name]).toSorted();
  if (counted.length > 0) {
    await services.database.global(({ db }) =>
      db
        .insertInto('flag_usage')
        .values(
          counted.map((name) => ({
            hour: sql<Date>`date_trunc('hour', now())`,
            name,
            yes: toggles[name]?.yes ?? 0,
            no: toggles[name]?.no ?? 0,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['hour', 'name']).doUpdateSet(({ ref }) => ({
            yes: sql`${ref('flag_usage.yes')} + excluded.yes`,
            no: sql`${ref('flag_usage.no')} + excluded.no`,
          })),
        )
        .execute(),
    );
  }
  // Not waited for: whoever reports must not wait for another machine.
  void services.flags.passOn(usage);
  return { accepted: true };
}

export interface FlagChange {
  name: Flag;
  /** Undefined takes back what was set: the next wider scope decides. */
  enabled: boolean | undefined;
  /** The login at the machine. */
  operator: string;
}

/**
 * Sets a flag, or takes back what was set, and writes that down in the same transaction: in the audit log of the
 * organization, or in the operator log; what is set for everybody is told to every organization then. Answers what was
 * set before.
 */
export async function setFlag(
  services: Services,
  scope: FlagScope,
  { name, enabled, operator }: FlagChange,
): Promise<boolean | undefined> {
  const { database, people } = services;
  const action = 'flag.changed';
  if (scope !== 'everybody' && 'orgId' in scope) {
    return database.withOrg(scope.orgId, async (tx) => {
      const before = await write(tx, scope, name, enabled);
      const doer = { operator, requestId: newId() };
      const data = changeOf('this organization', before, enabled);
      await record(tx, {
        people,
        orgId: scope.orgId,
        doer,
        entry: { action, subject: { kind: 'flag', id: name }, data },
      });
      return before;
    });
  }
  const before = await database.global(async (tx) => {
    const old = await write(tx, scope, name, enabled);
    const whom = scope === 'everybody' ? scope : `account ${scope.accountId}`;
    const subject = { kind: scope === 'everybody' ? 'flag' : 'account flag', id: name };
    await recordOperator(tx, operator, { action, subject, data: changeOf(whom, old, enabled) });
    return old;
  });
  if (scope === 'everybody') await tellOrganizations(services);
  return before;
}

const changeOf = (scope: string, before: boolean | undefined, after: boolean | undefined) => ({
  for: scope,
  before: { state: before === undefined ? 'its default' : wordOf(before) },
  after: { state: after === undefined ? 'its default' : wordOf(after) },
});
const wordOf = (on: boolean) => (on ? 'on' : 'off');

async function write(tx: Tx, scope: FlagScope, name: Flag, enabled: boolean | undefined): Promise<boolean | undefined> {
  const before = await maybeSet(tx, scope, name);
  if (enabled === undefined) await remove(tx, scope, name);
  else await put(tx, scope, name, enabled);
  return before;
}

async function put({ db }: Tx, scope: FlagScope, name: Flag, enabled: boolean): Promise<void> {
  const changed = { enabled, updated_at: sql<Date>`now()` };
  if (scope === 'everybody') {
    await db
      .insertInto('feature_flag')
      .values({ name, enabled })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(changed))
      .execute();
  } else if ('orgId' in scope) {
    await db
      .insertInto('organization_flag')
      .values({ org_id: scope.orgId, name, enabled })
      .onConflict((conflict) => conflict.columns(['org_id', 'name']).doUpdateSet(changed))
      .execute();
  } else {
    await db
      .insertInto('account_flag')
      .values({ account_id: scope.accountId, name, enabled })
      .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet(changed))
      .execute();
  }
}

async function remove({ db }: Tx, scope: FlagScope, name: Flag): Promise<void> {
  if (scope === 'everybody') await db.deleteFrom('feature_flag').where('name', '=', name).execute();
  else if ('orgId' in scope) {
    await db.deleteFrom('organization_flag').where('org_id', '=', scope.orgId).where('name', '=', name).execute();
  } else {
    await db.deleteFrom('account_flag').where('account_id', '=', scope.accountId).where('name', '=', name).execute();
  }
}
