import { control } from './control.ts';
import { excusesFor } from './excuses.ts';
import { whole } from './known.ts';
import type { LedgerDayRow } from './rows.ts';
import { hour, minute, spanOfDay, timeOf } from './times.ts';
import { settle } from './verdicts.ts';
import type { Reason } from './words.ts';

/** Each of the four is certain by itself where it is known; a self-check that nobody told of is a gap, for it may have run. */
export const log01 = control<LedgerDayRow>()({
  id: 'LOG-01',
  title: 'Ledger whole',
  rule: 'Every day the ledger checks itself, takes entries in without delay, is anchored outside, and does not break off.',
  population: 'Every day of the period that is over, in UTC.',
  verdicts: {
    pass: 'The self-check of the day ended well, no entry waited longer than set, a checkpoint was left outside lately enough at the end of the day, and no epoch broke.',
    exception: 'One of these does not hold; nothing anchored outside is one.',
    gap: 'One of these is not known.',
  },
  parameters: {
    pending: {
      kind: 'number',
      title: 'Entries wait less than',
      unit: 'minutes',
      default: 5,
      min: 1,
      max: 60,
      stricter: 'lower',
    },
    anchored: {
      kind: 'number',
      title: 'Anchored outside within',
      unit: 'hours',
      default: 24,
      min: 1,
      max: 168,
      stricter: 'lower',
    },
  },
  crosswalk: {
    soc2: ['CC7.2'],
    iso27001: ['A.5.28', 'A.5.33', 'A.8.15'],
    ssdf: ['PO.3', 'PS.2'],
    pci: ['10.2.1', '10.3.2', '10.3.4', '10.5.1'],
    cis: ['8.2', '8.10'],
    samm: ['O-OM'],
  },
  sources: ['ledger'],
  happenedAt: ({ day }) => `${day}T00:00:00.000Z`,
  belongs: () => true,
  judge: (row, setting) => {
    const [from, to] = spanOfDay(row.day);
    const anchoredAt = whole(row.lastAnchoredAt);
    const isAnchored = anchoredAt == null ? undefined : to - timeOf(anchoredAt) <= setting.anchored * hour;
    const [pending, breaks] = [whole(row.longestPendingSeconds), whole(row.epochBreaks)];
    const faults: readonly (readonly [boolean, Reason])[] = [
      [whole(row.selfCheck) === 'failed', 'self_check_failed'],
      [pending !== undefined && pending * 1000 >= setting.pending * minute, 'entries_waited'],
      [anchoredAt === null, 'never_anchored'],
      [isAnchored === false, 'anchor_too_old'],
      [breaks !== undefined && breaks > 0, 'epoch_broken'],
    ];
    const unknown = [row.selfCheck, row.longestPendingSeconds, row.lastAnchoredAt, row.epochBreaks].some(
      (fact) => fact.state !== 'complete',
    );
    return settle({
      exceptions: faults.filter(([isSo]) => isSo).map(([, reason]) => reason),
      gaps: unknown ? ['ledger_facts_missing'] : [],
      passes: ['ledger_whole'],
      excuses: excusesFor(row.approved, [[from, to - 1]]),
    });
  },
});
