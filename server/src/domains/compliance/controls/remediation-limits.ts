import type { Severity } from '@sightline/contract/core/severities.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { defaultsOf, settingFrom } from '@sightline/evidence/controls/parameters.ts';
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

  async find(tx: Tx, orgId: string): Promise<RemediationLimit[]> {
    const [row] = await tx.query<{ settings: unknown }>({
      name: 'controls.remediation-limits',
      text: `select ${remediationLimits.settingsSql} as settings`,
      values: [orgId],
    });
    return remediationLimits.parse(row?.settings);
  },
};
