import { cov01 } from './cov-01.ts';
import { erased, guessed, known, missing, nobody, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { committer, goodOf } from './testing/variants.ts';

const hours = (...list: string[]) => list.map((hour) => `2026-07-02T${hour}:00:00.000Z`);
const during = (from: string, to: string) => ({
  presence: known([{ from: `2026-07-02T${from}:00.000Z`, to: `2026-07-02T${to}:00.000Z` }]),
});
const paused = (from: string, to: string) => ({
  pauses: known([{ from: `2026-07-02T${from}:00.000Z`, to: `2026-07-02T${to}:00.000Z` }]),
});

evaluates(cov01, goodOf(committer), [
  ['passes observed in every hour with a commit', {}, 'pass', ['observed']],
  [
    'passes observed in 80 % of them',
    { commitHours: hours('06', '08', '10', '12', '20'), ...during('06:00', '12:30') },
    'pass',
    ['observed'],
  ],
  [
    'passes an hour before, and one after',
    { commitHours: hours('10', '14'), ...during('11:59', '13:01') },
    'pass',
    ['observed'],
  ],
  ['passes as much as set', during('09:30', '10:30'), 'pass', ['observed'], { coverage: 50 }],
  ['fails observed in fewer', during('09:30', '10:30'), 'fail', ['coverage_too_low']],
  [
    'is an exception where an hour with many commits counts once',
    { commitHours: hours('10', '10', '10', '10', '10', '20'), ...during('09:30', '10:30') },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'is an exception observed never, with the extension installed',
    { presence: known([]) },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'is an exception by pauses alone where enough would be covered without them',
    { ...during('09:30', '10:30'), ...paused('10:30', '16:00') },
    'fail',
    ['recording_paused'],
  ],
  [
    'is an exception by both where not even then',
    { commitHours: hours('10', '14', '18', '20'), ...during('09:30', '10:30'), ...paused('10:30', '16:00') },
    'fail',
    ['coverage_too_low', 'recording_paused'],
  ],
  [
    'is an exception without a word of pauses in which nothing was committed',
    { ...during('09:30', '10:30'), ...paused('11:00', '14:00') },
    'fail',
    ['coverage_too_low'],
  ],
  ['passes with pauses that leave enough covered', paused('11:00', '12:00'), 'pass', ['observed']],
  [
    'is an exception where pauses are not known',
    { ...during('09:30', '10:30'), pauses: missing },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'is a gap where the extension never connected, paused or not',
    { extension: known('never_connected'), presence: known([]), ...paused('09:00', '16:00') },
    'missing_evidence',
    ['not_observable'],
  ],
  [
    'is an exception just too early and too late',
    { commitHours: hours('10'), ...during('12:00', '13:00') },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'is an exception of an erased person, whose ID stays',
    { person: erased('per_1'), presence: known([]) },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'is a gap where the extension never connected',
    { extension: known('never_connected'), presence: known([]) },
    'missing_evidence',
    ['not_observable'],
  ],
  ['has missing evidence where that is not known', { extension: missing }, 'missing_evidence', ['extension_unknown']],
  ['has missing evidence where presence is not known', { presence: missing }, 'missing_evidence', ['presence_missing']],
  [
    'has missing evidence where some presence is not known',
    { presence: partly([]) },
    'missing_evidence',
    ['presence_missing'],
  ],
  [
    'has missing evidence where the person is unresolved',
    { person: nobody },
    'missing_evidence',
    ['person_unresolved'],
  ],
  [
    'has missing evidence where the person is guessed',
    { person: guessed('per_1') },
    'missing_evidence',
    ['person_unresolved'],
  ],
]);
