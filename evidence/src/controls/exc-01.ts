import { control } from './control.ts';
import { completeValue } from './facts.ts';
import { isSame } from './persons.ts';
import type { Reason } from './reasons.ts';
import type { WaiverDecisionRow } from './rows.ts';
import { DAY_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/**
 * A short reason, a late end, a missing permission and equal IDs are certain, even if persons are unresolved. Two IDs
 * are certainly two humans only if both are resolved, since erased persons cannot be told apart.
 */
export const exc01 = control<WaiverDecisionRow>()({
  id: 'EXC-01',
  title: 'Segregation of duties for waivers',
  rule: 'Every waiver has a reason and an expiry and is decided by a permitted person who is not the requester.',
  population: 'Every waiver that was decided or active in the period.',
  verdicts: {
    pass: 'Another person with permission decided it, its reason has the minimum length, and it expires within the limit.',
    fail: 'One of these conditions is not met.',
    missing_evidence:
      'The data of the requester or decider is deleted, the person is not resolved with certainty, or the permission is unknown.',
  },
  parameters: {
    reasonLength: {
      kind: 'number',
      title: 'Minimum length of the reason',
      unit: 'characters',
      default: 10,
      min: 1,
      max: 500,
      stricter: 'higher',
    },
    longest: {
      kind: 'number',
      title: 'Maximum duration',
      unit: 'days',
      default: 180,
      min: 1,
      max: 366,
      stricter: 'lower',
    },
  },
  sources: ['waivers', 'identities', 'members'],
  policies: [],
  events: ['exception'],
  happenedAt: ({ decidedAt }) => decidedAt,
  evaluate: (row, setting) => {
    const sameHand = isSame(row.requestedBy, row.decidedBy);
    const hadPermission = completeValue(row.hadPermission);
    const length = parseTime(row.until) - parseTime(row.from);
    const failures: readonly (readonly [boolean, Reason])[] = [
      [sameHand === 'yes', 'decided_by_requester'],
      [hadPermission === false, 'decided_without_permission'],
      [row.reasonLength < setting.reasonLength, 'reason_too_short'],
      [length > setting.longest * DAY_MS, 'waiver_too_long'],
    ];
    return decideVerdict({
      failures: failures.filter(([isSo]) => isSo).map(([, reason]) => reason),
      missing: [
        ...(sameHand === 'unknown' ? (['actor_unresolved'] as const) : []),
        ...(hadPermission === undefined ? (['permission_unknown'] as const) : []),
      ],
      passes: ['independent_decision'],
      waivers: waiversAt(row.waivers, row.decidedAt),
    });
  },
});
