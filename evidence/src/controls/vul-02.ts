import { control } from './control.ts';
import { completeValue } from './facts.ts';
import type { Reason } from './reasons.ts';
import type { SecretRow } from './rows.ts';
import { DAY_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

/**
 * A closure after the limit is a failure regardless of its reason. A secret without a reported closure may have been
 * revoked earlier, so it is at most missing evidence.
 */
export const vul02 = control<SecretRow>()({
  id: 'VUL-02',
  title: 'Exposed secrets remediated',
  rule: 'Every exposed secret is rotated, revoked or classified as a false positive within the limit.',
  population: 'Every finding of the category secret that was open in the period.',
  verdicts: {
    pass: 'It was closed within the limit as rotated, revoked or a false positive.',
    fail: 'It was closed later or for another reason, or is open after the limit.',
    missing_evidence:
      'The source does not report whether or why it was closed, or it is open and the limit has not passed.',
  },
  parameters: {
    limit: { kind: 'number', title: 'Limit', unit: 'days', default: 3, min: 1, max: 90, stricter: 'lower' },
  },
  sources: ['findings', 'waivers'],
  policies: ['sla'],
  digest: 'flagged',
  events: ['vulnerability'],
  happenedAt: ({ firstSeenAt }) => firstSeenAt,
  evaluate: (row, setting) => {
    const due = parseTime(row.firstSeenAt) + setting.limit * DAY_MS;
    const closing = completeValue(row.closure);
    const openUntil = parseTime(closing?.at ?? row.evaluatedAt);
    const reason = closing ? completeValue(closing.reason) : undefined;
    const isLate = closing !== undefined && openUntil > due;
    const failures: readonly Reason[] = [
      ...(isLate ? (['secret_over_time_limit'] as const) : []),
      ...(reason === 'other' ? (['secret_closed_without_remediation'] as const) : []),
    ];
    // A secret closed without remediation counts as open from then on.
    const end = reason === 'other' ? parseTime(row.evaluatedAt) : openUntil;
    const start = reason === 'other' ? Math.min(openUntil, due) : due;
    return decideVerdict({
      failures,
      missing: [
        ...(closing === undefined ? (['closure_unknown'] as const) : []),
        ...(closing && reason === undefined ? (['closure_unknown'] as const) : []),
        ...(closing === null && !isLate ? (['time_not_over'] as const) : []),
      ],
      passes: ['secret_closed'],
      waivers: waiversCovering(row.waivers, [[Math.min(end, Math.max(start, parseTime(row.periodFrom))), end]]),
    });
  },
});
