import { type Flag, flagNames } from '@sightline/contract/core/flags.ts';
import type { FlagUsage } from '@sightline/contract/identity/feature-flags.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { copyOperatorEntriesToAuditLogs, recordOperatorEntry } from '#core/operator-log.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type FlagScope, findFlagSetting } from './queries.ts';

/** Adds the counts of a client to those of the current hour. Unknown flags are ignored. */
export async function countFlagUsage(services: Services, usage: FlagUsage): Promise<{ accepted: true }> {
  const { toggles } = usage.bucket;
  // A fixed lock order prevents deadlocks between concurrent reports.
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
  // Not awaited, so that the client does not wait for the external server.
  void services.flags.passOn(usage);
  return { accepted: true };
}

export interface FlagChange {
  name: Flag;
  /** Undefined removes the setting, so that the next wider scope applies. */
  enabled: boolean | undefined;
  /** The login name of the operator. */
  operator: string;
}

/**
 * Sets or removes a flag and records the change in the same transaction: in the audit log of the organization, or in
 * the operator log. A global change is then copied to every audit log. Returns the previous setting.
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
      const actor = { operator, requestId: newId() };
      const data = changeOf('this organization', before, enabled);
      await recordAuditEntry(tx, {
        people,
        orgId: scope.orgId,
        actor,
        entry: { action, subject: { kind: 'flag', id: name }, data },
      });
      return before;
    });
  }
  const before = await database.global(async (tx) => {
    const old = await write(tx, scope, name, enabled);
    const scopeName = scope === 'everybody' ? scope : `account ${scope.accountId}`;
    const subject = { kind: scope === 'everybody' ? 'flag' : 'account flag', id: name };
    await recordOperatorEntry(tx, operator, { action, subject, data: changeOf(scopeName, old, enabled) });
    return old;
  });
  if (scope === 'everybody') await copyOperatorEntriesToAuditLogs(services);
  return before;
}

const changeOf = (scope: string, before: boolean | undefined, after: boolean | undefined) => ({
  for: scope,
  before: { state: before === undefined ? 'its default' : stateText(before) },
  after: { state: after === undefined ? 'its default' : stateText(after) },
});
const stateText = (on: boolean) => (on ? 'on' : 'off');

async function write(tx: Tx, scope: FlagScope, name: Flag, enabled: boolean | undefined): Promise<boolean | undefined> {
  const before = await findFlagSetting(tx, scope, name);
  if (enabled === undefined) await remove(tx, scope, name);
  else await upsert(tx, scope, name, enabled);
  return before;
}

async function upsert({ db }: Tx, scope: FlagScope, name: Flag, enabled: boolean): Promise<void> {
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
