import { control } from './control.ts';
import { excusesFor } from './excuses.ts';
import { whole } from './known.ts';
import { personOf } from './persons.ts';
import type { CommitterRow } from './rows.ts';
import { hour, timeOf } from './times.ts';
import { settle } from './verdicts.ts';

/**
 * Too little coverage is an exception only where presence is known whole and the extension was installed: more presence could
 * only raise it, and without an extension there was nothing to observe with. A paused extension counts as absent.
 */
export const cov01 = control<CommitterRow>()({
  id: 'COV-01',
  title: 'Committers observed',
  rule: 'Whoever commits has an extension connected while they do.',
  population: 'Every human with a commit in the period.',
  verdicts: {
    pass: 'An extension was connected in as many of the hours in which they committed as set, each taken with an hour before and after.',
    exception: 'An extension was installed, and was connected in fewer; pauses count as not connected.',
    gap: 'Their extension never connected (not observable), when it was connected is not known, or it is not certain who the person is.',
  },
  parameters: {
    coverage: { kind: 'number', title: 'Hours covered at least', unit: 'percent', default: 80, min: 1, max: 100 },
  },
  crosswalk: {
    soc2: ['CC4.1', 'CC7.2'],
    iso27001: ['A.8.16'],
    ssdf: ['PO.3'],
    cis: ['8.2'],
    samm: ['O-EM'],
  },
  sources: ['pushes', 'identities', 'presence'],
  happenedAt: ({ periodFrom }) => periodFrom,
  belongs: ({ person, commitHours }) => person.kind !== 'agent' && commitHours.length > 0,
  judge: (row, setting) => {
    const [presence, extension] = [whole(row.presence), whole(row.extension)];
    const isResolved = personOf(row.person) !== undefined;
    const isObserved = presence !== undefined && extension === 'installed' && isResolved;
    const isCovered = presence !== undefined && isCoveredBy(presence, row.commitHours, setting.coverage);
    return settle({
      exceptions: isObserved && !isCovered ? ['coverage_too_low'] : [],
      gaps: [
        ...(isResolved ? [] : (['person_unresolved'] as const)),
        ...(presence === undefined ? (['presence_missing'] as const) : []),
        ...(extension === undefined ? (['extension_unknown'] as const) : []),
        ...(extension === 'never_connected' ? (['not_observable'] as const) : []),
      ],
      passes: ['observed'],
      excuses: excusesFor(row.approved, [[timeOf(row.periodFrom), timeOf(row.periodTo) - 1]]),
    });
  },
});

function isCoveredBy(
  presence: readonly { readonly from: string; readonly to: string }[],
  commitHours: readonly string[],
  percent: number,
): boolean {
  const hours = [...new Set(commitHours)].map(timeOf);
  const spans = presence.map(({ from, to }) => [timeOf(from), timeOf(to)] as const);
  const covered = hours.filter((start) => spans.some(([from, to]) => from < start + 2 * hour && to > start - hour));
  return covered.length * 100 >= hours.length * percent;
}
