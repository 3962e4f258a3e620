import type { Severity } from '@sightline/contract/core/severities.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { defaultsOf, settingFrom } from '@sightline/evidence/controls/parameters.ts';
import type { LedgerSize } from '#core/ledger-size.ts';
import { isRecordedSql } from '#core/recorded-facts.ts';
import type { RemediationLimit } from '#core/remediation.ts';
import type { Tx } from '#database/database.ts';

interface StoredSetting {
  setting: Record<string, unknown>;
  repositories: string[] | null;
  from: string;
  until: string | null;
}

const { parameters } = controls['VUL-01'];

const daysOf = ({ critical, high, medium, low, info }: Record<Severity, number>) => ({
  critical,
  high,
  medium,
  low,
  info,
});

const defaultLimit = { repositories: null, from: null, until: null, days: daysOf(defaultsOf(parameters)) };

const atSize = { fact: 's', epoch: '$2', size: '$3' };

// A later end is ignored.
const settingsAtSizeSql = `(
  select jsonb_agg(jsonb_build_object('setting', s.setting, 'repositories', s.repositories, 'from', s.valid_from,
      'until', case when s.ended_entry_id is null or ${isRecordedSql({ ...atSize, entry: 'ended_entry_id' })} then s.valid_until end)
    order by s.repositories is null, s.valid_from desc, s.version desc)
  from control_setting s where s.org_id = $1 and s.control_id = 'VUL-01' and ${isRecordedSql(atSize)})`;

/**
 * The time limits of VUL-01, ordered as it applies them: a version for named repositories before one for all, later
 * versions first, the defaults last.
 */
export const remediationLimits = {
  settingsSql: `(select jsonb_agg(jsonb_build_object('setting', setting, 'repositories', repositories,
      'from', valid_from, 'until', valid_until) order by repositories is null, valid_from desc, version desc)
    from control_setting where org_id = $1 and control_id = 'VUL-01')`,

  parse: (settings: unknown): RemediationLimit[] => [
    ...((settings ?? []) as StoredSetting[]).map(({ setting, repositories, from, until }) => ({
      repositories,
      from: new Date(from).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
      days: daysOf(settingFrom(parameters, setting)),
    })),
    defaultLimit,
  ],

  async find(tx: Tx, orgId: string, size?: LedgerSize): Promise<RemediationLimit[]> {
    const [row] = await tx.query<{ settings: unknown }>({
      name: size ? 'controls.remediation-limits-at-size' : 'controls.remediation-limits',
      text: `select ${size ? settingsAtSizeSql : remediationLimits.settingsSql} as settings`,
      values: [orgId, ...(size ? [size.epoch, size.size] : [])],
    });
    return remediationLimits.parse(row?.settings);
  },
};
