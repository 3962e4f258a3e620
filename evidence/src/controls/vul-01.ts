import { control } from './control.ts';
import { completeValue } from './facts.ts';
import type { SettingOf } from './parameters.ts';
import type { VulnerabilityRow } from './rows.ts';
import { DAY_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

const limit = <const D extends number>(title: string, days: D) =>
  ({
    kind: 'number',
    title,
    unit: 'days',
    default: days,
    min: 0,
    max: 3660,
    stricter: 'lower',
    zeroMeansNoLimit: true,
  }) as const;

const parameters = {
  critical: limit('Limit for critical findings (0: none)', 7),
  high: limit('Limit for high findings (0: none)', 30),
  medium: limit('Limit for medium findings (0: none)', 90),
  low: limit('Limit for low findings (0: none)', 180),
  info: limit('Limit for informational findings (0: none)', 0),
  acceptedDismissals: {
    kind: 'choices',
    title: 'Dismissal reasons that count as fixed',
    choices: ['false_positive', 'not_exploitable', 'used_in_tests', 'mitigated'],
    default: [],
    stricter: 'fewer',
  },
} as const;

/**
 * A finding is certainly over its limit if it was fixed later, is known to be open, or was reported after the limit.
 * Without a severity, the longest limit applies. The limit of the day on which the finding was first seen is used.
 */
export const vul01 = control<VulnerabilityRow>()({
  id: 'VUL-01',
  title: 'Findings fixed within their time limit',
  rule: 'Every finding is fixed within the limit of its severity, or waived with the approval of another person.',
  population:
    'Every finding that was open in the period on a branch in scope and has a severity with a limit or an unknown severity.',
  verdicts: {
    pass: 'It was fixed within the limit after it was first detected, or the limit has not passed.',
    fail: 'It was or is open for longer than the limit.',
    missing_evidence: 'Its severity is unknown, or no recent scan confirms that it is still open (see SCN-02).',
  },
  parameters,
  sources: ['findings', 'scans', 'waivers'],
  policies: ['sla'],
  digest: 'flagged',
  events: ['vulnerability'],
  appliesParametersOf: ['SCN-02'],
  happenedAt: ({ firstSeenAt }) => firstSeenAt,
  excludedBy: ({ severity }, setting) => {
    const known = completeValue(severity);
    return known !== undefined && setting[known] === 0 ? [known] : [];
  },
  evaluate: (row, setting) => {
    const due = parseTime(row.firstSeenAt) + limitOf(row, setting) * DAY_MS;
    const closedAt = closingOf(row, setting.acceptedDismissals);
    const openUntil = openUntilOf(row, closedAt);
    const isOver = openUntil > due;
    return decideVerdict({
      failures: isOver ? ['over_time_limit'] : [],
      missing: [
        ...(completeValue(row.severity) === undefined ? (['severity_unknown'] as const) : []),
        ...(closedAt === undefined ? (['still_open_unknown'] as const) : []),
      ],
      passes: [typeof closedAt === 'number' ? 'fixed_in_time' : 'inside_time_limit'],
      waivers: isOver
        ? waiversCovering(row.waivers, [[Math.min(openUntil, Math.max(due, parseTime(row.periodFrom))), openUntil]])
        : [],
    });
  },
});

/** In days; Infinity without a limit. */
function limitOf(row: VulnerabilityRow, setting: SettingOf<typeof parameters>): number {
  const known = completeValue(row.severity);
  const days = known
    ? [setting[known]]
    : (['critical', 'high', 'medium', 'low', 'info'] as const).map((name) => setting[name]);
  return Math.max(...days.map((limit) => (limit === 0 ? Number.POSITIVE_INFINITY : limit)));
}

/** When it was closed; null: not yet; undefined: unknown. */
function closingOf({ fixedAt, dismissal }: VulnerabilityRow, closing: readonly string[]): number | null | undefined {
  const fixed = completeValue(fixedAt);
  const dismissed = dismissal && closing.includes(dismissal.reason) ? parseTime(dismissal.at) : undefined;
  if (typeof fixed === 'string') return Math.min(parseTime(fixed), dismissed ?? Number.POSITIVE_INFINITY);
  return dismissed ?? fixed;
}

/** The last moment at which it was certainly open. */
const openUntilOf = (row: VulnerabilityRow, closedAt: number | null | undefined): number =>
  closedAt ?? parseTime(closedAt === null ? row.evaluatedAt : row.lastSeenAt);
