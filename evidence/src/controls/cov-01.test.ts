import { cov01 } from './cov-01.ts';
import { completeFact, erasedActor, guessedActor, missingFact, partialFact, unresolvedActor } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { committer, passingRowOf } from './testing/variants.ts';

const hours = (...list: string[]) => list.map((hour) => `2026-07-02T${hour}:00:00.000Z`);
const during = (from: string, to: string) => ({
  presence: completeFact([{ from: `2026-07-02T${from}:00.000Z`, to: `2026-07-02T${to}:00.000Z` }]),
});
const paused = (from: string, to: string) => ({
  pauses: completeFact([{ from: `2026-07-02T${from}:00.000Z`, to: `2026-07-02T${to}:00.000Z` }]),
});

testVerdicts(cov01, passingRowOf(committer), [
  ['passes if observed in every hour with a commit', {}, 'pass', ['observed']],
  [
    'passes if observed in 80 % of the hours',
    { commitHours: hours('06', '08', '10', '12', '20'), ...during('06:00', '12:30') },
    'pass',
    ['observed'],
  ],
  [
    'passes if connected an hour before and after',
    { commitHours: hours('10', '14'), ...during('11:59', '13:01') },
    'pass',
    ['observed'],
  ],
  ['passes with the coverage of the parameter', during('09:30', '10:30'), 'pass', ['observed'], { coverage: 50 }],
  ['fails if observed in fewer hours', during('09:30', '10:30'), 'fail', ['coverage_too_low']],
  [
    'fails if hours with many commits count once',
    { commitHours: hours('10', '10', '10', '10', '10', '20'), ...during('09:30', '10:30') },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'fails if never observed with the extension installed',
    { presence: completeFact([]) },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'fails by pauses alone if coverage would suffice without them',
    { ...during('09:30', '10:30'), ...paused('10:30', '16:00') },
    'fail',
    ['recording_paused'],
  ],
  [
    'fails by both reasons if coverage would not suffice without pauses',
    { commitHours: hours('10', '14', '18', '20'), ...during('09:30', '10:30'), ...paused('10:30', '16:00') },
    'fail',
    ['coverage_too_low', 'recording_paused'],
  ],
  [
    'fails without naming pauses that had no commits',
    { ...during('09:30', '10:30'), ...paused('11:00', '14:00') },
    'fail',
    ['coverage_too_low'],
  ],
  ['passes with pauses if the remaining coverage suffices', paused('11:00', '12:00'), 'pass', ['observed']],
  ['fails if pauses are unknown', { ...during('09:30', '10:30'), pauses: missingFact }, 'fail', ['coverage_too_low']],
  [
    'has missing evidence if the extension never connected, paused or not',
    { extension: completeFact('never_connected'), presence: completeFact([]), ...paused('09:00', '16:00') },
    'missing_evidence',
    ['not_observable'],
  ],
  [
    'fails if connected slightly too early and too late',
    { commitHours: hours('10'), ...during('12:00', '13:00') },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'fails for an erased person, whose ID is permanent',
    { person: erasedActor('per_1'), presence: completeFact([]) },
    'fail',
    ['coverage_too_low'],
  ],
  [
    'has missing evidence if the extension never connected',
    { extension: completeFact('never_connected'), presence: completeFact([]) },
    'missing_evidence',
    ['not_observable'],
  ],
  [
    'has missing evidence if it is unknown whether the extension connected',
    { extension: missingFact },
    'missing_evidence',
    ['extension_unknown'],
  ],
  ['has missing evidence if presence is unknown', { presence: missingFact }, 'missing_evidence', ['presence_missing']],
  [
    'has missing evidence if some presence is unknown',
    { presence: partialFact([]) },
    'missing_evidence',
    ['presence_missing'],
  ],
  [
    'has missing evidence if the person is unresolved',
    { person: unresolvedActor },
    'missing_evidence',
    ['person_unresolved'],
  ],
  [
    'has missing evidence if the person is guessed',
    { person: guessedActor('per_1') },
    'missing_evidence',
    ['person_unresolved'],
  ],
]);
