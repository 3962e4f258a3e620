import { control } from './control.ts';
import { excusesAt } from './excuses.ts';
import { whole } from './known.ts';
import { isSame } from './persons.ts';
import type { DecisionRow } from './rows.ts';
import { day, timeOf } from './times.ts';
import { settle } from './verdicts.ts';
import type { Reason } from './words.ts';

/**
 * Too short a reason, too late an end, a missing right and one id on both sides are certain whoever the people are. That two ids
 * are two humans is certain only while both are resolved: who is erased can no longer be told apart.
 */
export const exc01 = control<DecisionRow>()({
  id: 'EXC-01',
  title: 'Exceptions by four eyes',
  rule: 'Every exception is decided by somebody other than who asked for it, with the right to, for a reason, and for a limited time.',
  population: 'Every exception that was decided, or held, in the period.',
  verdicts: {
    pass: 'Another person decided it who held the right to then, its reason is at least as long as set, and it ends soon enough.',
    exception: 'One of these does not hold.',
    gap: 'Whoever asked or decided is erased or not resolved for certain, or it is not known whether they held the right.',
  },
  parameters: {
    reasonLength: {
      kind: 'number',
      title: 'Length of the reason',
      unit: 'characters',
      default: 10,
      min: 1,
      max: 500,
      stricter: 'higher',
    },
    longest: {
      kind: 'number',
      title: 'Ends no later than after',
      unit: 'days',
      default: 180,
      min: 1,
      max: 366,
      stricter: 'lower',
    },
  },
  crosswalk: {
    soc2: ['CC3.2', 'CC5.1'],
    iso27001: ['A.5.3', 'A.5.36'],
    ssdf: ['PO.4', 'RV.2'],
    pci: ['12.3.1'],
    cis: ['16.2'],
    samm: ['G-PC'],
  },
  sources: ['exceptions', 'identities', 'members'],
  happenedAt: ({ decidedAt }) => decidedAt,
  belongs: () => true,
  judge: (row, setting) => {
    const sameHand = isSame(row.requestedBy, row.decidedBy);
    const heldRight = whole(row.heldRight);
    const length = timeOf(row.until) - timeOf(row.from);
    const exceptions: readonly (readonly [boolean, Reason])[] = [
      [sameHand === 'yes', 'decided_by_requester'],
      [heldRight === false, 'decided_without_right'],
      [row.reasonLength < setting.reasonLength, 'reason_too_short'],
      [length > setting.longest * day, 'exception_too_long'],
    ];
    return settle({
      exceptions: exceptions.filter(([isSo]) => isSo).map(([, reason]) => reason),
      gaps: [
        ...(sameHand === 'unknown' ? (['actor_unresolved'] as const) : []),
        ...(heldRight === undefined ? (['right_unknown'] as const) : []),
      ],
      passes: ['four_eyes'],
      excuses: excusesAt(row.approved, row.decidedAt),
    });
  },
});
