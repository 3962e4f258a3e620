import type { Severity } from '@sightline/contract/core/severities.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { defaultsOf, settingFrom } from '@sightline/evidence/controls/parameters.ts';
import type { Tx } from '#database/database.ts';

/**
 * The time limits of VUL-01, ordered as it applies them: a version for named repositories before one for all, later
 * versions first, the defaults last.
 */
export async function remediationLimitsOf(tx: Tx, orgId: string) {
  const { parameters } = controls['VUL-01'];
  const rows = await tx.query<{
    setting: Record<string, unknown>;
    repositories: string[] | null;
    from: Date;
    until: Date | null;
  }>({
    name: 'controls.remediation-limits',
    text: `select setting, repositories, valid_from as from, valid_until as until from control_setting
           where org_id = $1 and control_id = 'VUL-01'
           order by repositories is null, valid_from desc, version desc`,
    values: [orgId],
  });
  return [
    ...rows.map(({ setting, repositories, from, until }) => ({
      repositories,
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
      days: daysOf(settingFrom(parameters, setting)),
    })),
    { repositories: null, from: null, until: null, days: daysOf(defaultsOf(parameters)) },
  ];
}

const daysOf = ({ critical, high, medium, low, info }: Record<Severity, number>) => ({
  critical,
  high,
  medium,
  low,
  info,
});
