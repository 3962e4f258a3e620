import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import { personOf } from './persons.ts';
import type { CommitterRow, DateSpan } from './rows.ts';
import { HOUR_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

/**
 * Insufficient coverage is a failure only if presence is completely known and the extension was installed. Paused time
 * counts as absence. If the pauses alone cause the failure, the reason says so.
 */
export const cov01 = control<CommitterRow>()({
  id: 'COV-01',
  title: 'Extension coverage',
  rule: 'Every committer has an extension connected while committing.',
  population: 'Every human with a commit in the period.',
  verdicts: {
    pass: 'An extension was connected in the required share of hours with commits, each including one hour before and after.',
    fail: 'An extension was installed but connected in fewer hours. Pauses count as not connected and are a separate reason.',
    missing_evidence:
      'The extension never connected (not observable), its connection times are unknown, or the person is not resolved with certainty.',
  },
  parameters: {
    coverage: {
      kind: 'number',
      title: 'Minimum coverage',
      unit: 'percent',
      default: 80,
      min: 1,
      max: 100,
      stricter: 'higher',
    },
  },
  sources: ['pushes', 'identities', 'presence'],
  policies: [],
  events: ['commit'],
  happenedAt: ({ periodFrom }) => periodFrom,
  isApplicable: ({ person, commitHours }) => person.kind !== 'agent' && commitHours.length > 0,
  evaluate: (row, setting) => {
    const [presence, extension] = [completeValue(row.presence), completeValue(row.extension)];
    const isResolved = personOf(row.person) !== undefined;
    const isObserved = presence !== undefined && extension === 'installed' && isResolved;
    const hours = [...new Set(row.commitHours)].map(parseTime);
    const isEnough = (count: number) => count * 100 >= hours.length * setting.coverage;
    const uncovered = hours.filter((start) => !isWithin(presence ?? [], start - HOUR_MS, start + 2 * HOUR_MS));
    const paused = uncovered.filter((start) => isWithin(knownItems(row.pauses), start, start + HOUR_MS));
    const [connected, unpaused] = [hours.length - uncovered.length, hours.length - uncovered.length + paused.length];
    return decideVerdict({
      failures:
        isObserved && !isEnough(connected)
          ? [
              ...(paused.length > 0 ? (['recording_paused'] as const) : []),
              ...(isEnough(unpaused) ? [] : (['coverage_too_low'] as const)),
            ]
          : [],
      missing: [
        ...(isResolved ? [] : (['person_unresolved'] as const)),
        ...(presence === undefined ? (['presence_missing'] as const) : []),
        ...(extension === undefined ? (['extension_unknown'] as const) : []),
        ...(extension === 'never_connected' ? (['not_observable'] as const) : []),
      ],
      passes: ['observed'],
      waivers: waiversCovering(row.waivers, [[parseTime(row.periodFrom), parseTime(row.periodTo) - 1]]),
    });
  },
});

const isWithin = (spans: readonly DateSpan[], from: number, to: number): boolean =>
  spans.some((span) => parseTime(span.from) < to && parseTime(span.to) > from);
