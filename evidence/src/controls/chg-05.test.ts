import { chg05 } from './chg-05.ts';
import { checks, run } from './testing/change-variants.ts';
import { known, missing, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const older = 'b'.repeat(40);
const runs = (...changed: Partial<typeof run>[]) => ({
  checks: known(changed.map((change) => ({ ...run, ...change }))),
});

evaluates(chg05, goodOf(checks), [
  ['passes with every required check a success', {}, 'pass', ['required_checks_passed']],
  ['passes with one neutral', runs({ conclusion: 'neutral' }), 'pass', ['required_checks_passed']],
  ['passes with one skipped', runs({ conclusion: 'skipped' }), 'pass', ['required_checks_passed']],
  [
    'passes over at the very moment of the merge',
    runs({ completedAt: '2026-07-10T12:00:00.000Z' }),
    'pass',
    ['required_checks_passed'],
  ],
  ['passes where none is required', { requiredChecks: known([]), checks: known([]) }, 'pass', ['no_checks_required']],
  [
    'passes where it failed and was run again before the merge',
    runs({ conclusion: 'failure', completedAt: '2026-07-10T10:00:00.000Z' }, {}),
    'pass',
    ['required_checks_passed'],
  ],
  [
    'passes where another check, or the same on an older commit, failed',
    runs({}, { name: 'lint', conclusion: 'failure' }, { sha: older, conclusion: 'failure' }),
    'pass',
    ['required_checks_passed'],
  ],
  ['fails failed', runs({ conclusion: 'failure' }), 'fail', ['required_check_failed']],
  ['fails cancelled', runs({ conclusion: 'cancelled' }), 'fail', ['required_check_failed']],
  [
    'is an exception where it failed when run again before the merge',
    runs({ completedAt: '2026-07-10T10:00:00.000Z' }, { conclusion: 'failure' }),
    'fail',
    ['required_check_failed'],
  ],
  [
    'is an exception where two ended at one moment and one failed',
    runs({}, { conclusion: 'failure' }),
    'fail',
    ['required_check_failed'],
  ],
  ['fails missing', { checks: known([]) }, 'fail', ['required_check_missing']],
  ['fails run on an older commit only', runs({ sha: older }), 'fail', ['required_check_missing']],
  ['is an exception over later', runs({ completedAt: '2026-07-10T12:00:01.000Z' }), 'fail', ['required_check_late']],
  ['fails not over', runs({ completedAt: null }), 'fail', ['required_check_late']],
  [
    'is an exception where one of those known to be required failed, though others are not known',
    { ...runs({ conclusion: 'failure' }), requiredChecks: partly(['build']) },
    'fail',
    ['required_check_failed'],
  ],
  [
    'is an exception green on no commit, though the head is not known',
    { ...runs({ conclusion: 'failure' }, { sha: older, conclusion: 'failure' }), headSha: missing },
    'fail',
    ['required_check_failed'],
  ],
  [
    'is an exception never run, though the head is not known',
    { checks: known([]), headSha: missing },
    'fail',
    ['required_check_missing'],
  ],
  [
    'is a gap failed on one commit and green on another where the head is not known',
    { ...runs({}, { sha: older, conclusion: 'failure' }), headSha: missing },
    'missing_evidence',
    ['head_unknown'],
  ],
  [
    'has missing evidence where required checks are not known',
    { requiredChecks: missing },
    'missing_evidence',
    ['required_checks_unknown'],
  ],
  ['has missing evidence where checks are not known', { checks: missing }, 'missing_evidence', ['checks_missing']],
  [
    'has missing evidence where some checks are not known',
    { checks: partly([run]) },
    'missing_evidence',
    ['checks_missing'],
  ],
  ['has missing evidence where the head is not known', { headSha: missing }, 'missing_evidence', ['head_unknown']],
]);
