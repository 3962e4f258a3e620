import { control } from './control.ts';
import { completeValue } from './facts.ts';
import type { Reason } from './reasons.ts';
import type { LedgerDayRow } from './rows.ts';
import { HOUR_MS, MINUTE_MS, parseTime, spanOfDay } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

/**
 * Each of the four conditions is certain if its fact is known. An unreported self-check is missing evidence, since it
 * may have run.
 */
export const log01 = control<LedgerDayRow>()({
  id: 'LOG-01',
  title: 'Ledger integrity',
  rule: 'Every day the ledger verifies itself, integrates entries without delay, is anchored externally, and has no interruption.',
  population: 'Every completed day of the period, in UTC.',
  verdicts: {
    pass: 'The self-check of the day succeeded, no entry was pending longer than allowed, the latest anchored checkpoint was recent enough at the end of the day, and no epoch ended.',
    fail: 'One of these conditions is not met. No external anchor is also a failure.',
    missing_evidence: 'One of these facts is unknown.',
  },
  parameters: {
    pending: {
      kind: 'number',
      title: 'Maximum pending time',
      unit: 'minutes',
      default: 5,
      min: 1,
      max: 60,
      stricter: 'lower',
    },
    anchored: {
      kind: 'number',
      title: 'Maximum anchor age',
      unit: 'hours',
      default: 24,
      min: 1,
      max: 168,
      stricter: 'lower',
    },
  },
  sources: ['ledger'],
  policies: [],
  events: [],
  happenedAt: ({ day }) => `${day}T00:00:00.000Z`,
  evaluate: (row, setting) => {
    const [from, to] = spanOfDay(row.day);
    const anchoredAt = completeValue(row.lastAnchoredAt);
    const isAnchored = anchoredAt == null ? undefined : to - parseTime(anchoredAt) <= setting.anchored * HOUR_MS;
    const [pending, breaks] = [completeValue(row.longestPendingSeconds), completeValue(row.epochBreaks)];
    const faults: readonly (readonly [boolean, Reason])[] = [
      [completeValue(row.selfCheck) === 'failed', 'self_check_failed'],
      [pending !== undefined && pending * 1000 >= setting.pending * MINUTE_MS, 'entries_delayed'],
      [anchoredAt === null, 'never_anchored'],
      [isAnchored === false, 'anchor_too_old'],
      [breaks !== undefined && breaks > 0, 'epoch_broken'],
    ];
    const unknown = [row.selfCheck, row.longestPendingSeconds, row.lastAnchoredAt, row.epochBreaks].some(
      (fact) => fact.state !== 'complete',
    );
    return decideVerdict({
      failures: faults.filter(([isSo]) => isSo).map(([, reason]) => reason),
      missing: unknown ? ['ledger_facts_missing'] : [],
      passes: ['ledger_intact'],
      waivers: waiversCovering(row.waivers, [[from, to - 1]]),
    });
  },
});
