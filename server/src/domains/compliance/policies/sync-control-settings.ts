import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import type { Tx } from '#database/database.ts';
import { type EffectiveSetting, effectiveSettingsOf } from './effective.ts';
import { activePolicies } from './queries.ts';

/**
 * Updates the control settings to the active policies: obsolete settings end at `at`, new ones start there, and earlier
 * times are unchanged. `entryId` is the ledger entry of the change. Requires the lock of the organization.
 */
export async function syncControlSettings(tx: Tx, orgId: string, at: Date, entryId: string): Promise<void> {
  const effective = new Map(effectiveSettingsOf(await activePolicies(tx, orgId)).map((one) => [keyOf(one), one]));
  const current = await tx.db
    .selectFrom('control_setting')
    .select(['control_id', 'version', 'setting', 'repositories', 'policy_id', 'policy_version'])
    .where('org_id', '=', orgId)
    .where('valid_until', 'is', null)
    .execute();
  for (const row of current) {
    const control = row.control_id as ControlId;
    const key = keyOf({ control, setting: row.setting as ControlSetting, repositories: row.repositories });
    if (effective.delete(key)) continue;
    await tx.db
      .updateTable('control_setting')
      .set({ valid_until: at, ended_entry_id: entryId })
      .where('org_id', '=', orgId)
      .where('control_id', '=', row.control_id)
      .where('version', '=', row.version)
      .execute();
  }
  if (effective.size === 0) return;
  const last = await tx.db
    .selectFrom('control_setting')
    .select(({ fn }) => fn.max('version').as('version'))
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  const from = last?.version ?? 0;
  await tx.db
    .insertInto('control_setting')
    .values(
      [...effective.values()].map(({ control, setting, repositories, policy }, index) => ({
        org_id: orgId,
        control_id: control,
        version: from + 1 + index,
        setting: JSON.stringify(setting),
        repositories: repositories && [...repositories],
        valid_from: at,
        policy_id: policy?.id ?? null,
        policy_version: policy?.version ?? null,
        entry_id: entryId,
      })),
    )
    .execute();
}

/** The key of settings that evaluate alike. */
const keyOf = ({ control, setting, repositories }: Omit<EffectiveSetting, 'policy'>): string =>
  canonicalJson({ control, setting, repositories: repositories?.toSorted() ?? null });
