import { expect, test } from 'vitest';
import { chg05 } from './chg-05.ts';
import { defaultsOf } from './parameters.ts';
import { runControl } from './run.ts';
import { checks, run } from './testing/change-variants.ts';
import { completeFact, missingFact, partialFact } from './testing/facts.ts';
import { isInPopulation } from './testing/in-population.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

const older = 'b'.repeat(40);
const runs = (...changed: Partial<typeof run>[]) => ({
  checks: completeFact(changed.map((change) => ({ ...run, ...change }))),
});

testVerdicts(chg05, passingRowOf(checks), [
  ['passes if every required check succeeded', {}, 'pass', ['required_checks_passed']],
  ['passes with a neutral check', runs({ conclusion: 'neutral' }), 'pass', ['required_checks_passed']],
  ['fails with a skipped check', runs({ conclusion: 'skipped' }), 'fail', ['required_check_failed']],
  [
    'passes if the required app reported it',
    { requiredApps: completeFact([{ name: 'build', app: '15368' }]), ...runs({}, { app: '2', conclusion: 'failure' }) },
    'pass',
    ['required_checks_passed'],
  ],
  [
    'fails if only another app than the required one reported it',
    { requiredApps: completeFact([{ name: 'build', app: '2' }]) },
    'fail',
    ['required_check_by_other_app'],
  ],
  [
    'has missing evidence if a status may come from the required app',
    { requiredApps: completeFact([{ name: 'build', app: '2' }]), ...runs({}, { app: null }) },
    'missing_evidence',
    ['check_reporter_unknown'],
  ],
  [
    'fails if a status replaces the failed run of an app',
    runs({ conclusion: 'failure' }, { app: null, completedAt: '2026-07-10T11:30:00.000Z' }),
    'fail',
    ['required_check_failed'],
  ],
  [
    'fails if a required check was disabled shortly before the merge, although others passed',
    { disabledChecks: ['test'] },
    'fail',
    ['required_check_disabled'],
  ],
  [
    'fails if all required checks were disabled shortly before the merge',
    { requiredChecks: completeFact([]), disabledChecks: ['build'] },
    'fail',
    ['required_check_disabled'],
  ],
  [
    'has missing evidence if the required apps are unknown',
    { requiredApps: missingFact },
    'missing_evidence',
    ['required_checks_unknown'],
  ],
  [
    'fails if the required apps are unknown and the check failed for each of them',
    { requiredApps: missingFact, ...runs({ conclusion: 'failure' }) },
    'fail',
    ['required_check_failed'],
  ],
  [
    'has missing evidence if an unknown required app may have set the status beside a failed run',
    { requiredApps: missingFact, ...runs({ conclusion: 'failure' }, { app: null }) },
    'missing_evidence',
    ['required_checks_unknown'],
  ],
  [
    'passes if completed at the exact time of the merge',
    runs({ completedAt: '2026-07-10T12:00:00.000Z' }),
    'pass',
    ['required_checks_passed'],
  ],
  [
    'passes if it failed and succeeded in a rerun before the merge',
    runs({ conclusion: 'failure', completedAt: '2026-07-10T10:00:00.000Z' }, {}),
    'pass',
    ['required_checks_passed'],
  ],
  [
    'passes if another check, or the same on an older commit, failed',
    runs({}, { name: 'lint', conclusion: 'failure' }, { sha: older, conclusion: 'failure' }),
    'pass',
    ['required_checks_passed'],
  ],
  ['fails if the check failed', runs({ conclusion: 'failure' }), 'fail', ['required_check_failed']],
  ['fails if the check was canceled', runs({ conclusion: 'cancelled' }), 'fail', ['required_check_failed']],
  [
    'fails if a rerun before the merge failed',
    runs({ completedAt: '2026-07-10T10:00:00.000Z' }, { conclusion: 'failure' }),
    'fail',
    ['required_check_failed'],
  ],
  [
    'fails if two runs ended at the same time and one failed',
    runs({}, { conclusion: 'failure' }),
    'fail',
    ['required_check_failed'],
  ],
  ['fails if the check is missing', { checks: completeFact([]) }, 'fail', ['required_check_missing']],
  ['fails if run on an older commit only', runs({ sha: older }), 'fail', ['required_check_missing']],
  ['fails if completed later', runs({ completedAt: '2026-07-10T12:00:01.000Z' }), 'fail', ['required_check_late']],
  ['fails if not completed', runs({ completedAt: null }), 'fail', ['required_check_late']],
  [
    'fails if a known required check failed, even if others are unknown',
    { ...runs({ conclusion: 'failure' }), requiredChecks: partialFact(['build']) },
    'fail',
    ['required_check_failed'],
  ],
  [
    'fails if it succeeded on no commit, even if the head commit is unknown',
    { ...runs({ conclusion: 'failure' }, { sha: older, conclusion: 'failure' }), headSha: missingFact },
    'fail',
    ['required_check_failed'],
  ],
  [
    'fails if never run, even if the head commit is unknown',
    { checks: completeFact([]), headSha: missingFact },
    'fail',
    ['required_check_missing'],
  ],
  [
    'has missing evidence if it failed on one commit and succeeded on another, and the head commit is unknown',
    { ...runs({}, { sha: older, conclusion: 'failure' }), headSha: missingFact },
    'missing_evidence',
    ['head_unknown'],
  ],
  [
    'has missing evidence if required checks are unknown',
    { requiredChecks: missingFact },
    'missing_evidence',
    ['required_checks_unknown'],
  ],
  ['has missing evidence if checks are unknown', { checks: missingFact }, 'missing_evidence', ['checks_missing']],
  [
    'has missing evidence if some checks are unknown',
    { checks: partialFact([run]) },
    'missing_evidence',
    ['checks_missing'],
  ],
  [
    'has missing evidence if the head commit is unknown',
    { headSha: missingFact },
    'missing_evidence',
    ['head_unknown'],
  ],
]);

test('is not applicable without a required check, and never passes', () => {
  const row = { ...passingRowOf(checks), requiredChecks: completeFact([]) };
  expect(isInPopulation(chg05, row, defaultsOf(chg05.parameters))).toBe(false);
  expect(runControl(chg05, [row], [], []).status).toBe('not_applicable');
  expect(isInPopulation(chg05, { ...row, requiredChecks: missingFact }, defaultsOf(chg05.parameters))).toBe(true);
});
