import { chg05 } from './chg-05.ts';
import { checks, run } from './testing/change-variants.ts';
import { known, missing, partly } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const older = 'b'.repeat(40);
const runs = (...changed: Partial<typeof run>[]) => ({
  checks: known(changed.map((change) => ({ ...run, ...change }))),
});

judges(chg05, goodOf(checks), [
  ['passes with every required check a success', {}, 'pass', ['required_checks_green']],
  ['passes with one neutral', runs({ conclusion: 'neutral' }), 'pass', ['required_checks_green']],
  ['passes with one skipped', runs({ conclusion: 'skipped' }), 'pass', ['required_checks_green']],
  [
    'passes over at the very moment of the merge',
    runs({ completedAt: '2026-07-10T12:00:00.000Z' }),
    'pass',
    ['required_checks_green'],
  ],
  ['passes where none is required', { requiredChecks: known([]), checks: known([]) }, 'pass', ['no_checks_required']],
  [
    'passes where it failed and was run again before the merge',
    runs({ conclusion: 'failure', completedAt: '2026-07-10T10:00:00.000Z' }, {}),
    'pass',
    ['required_checks_green'],
  ],
  [
    'passes where another check, or the same on an older commit, failed',
    runs({}, { name: 'lint', conclusion: 'failure' }, { sha: older, conclusion: 'failure' }),
    'pass',
    ['required_checks_green'],
  ],
  ['is an exception failed', runs({ conclusion: 'failure' }), 'exception', ['required_check_failed']],
  ['is an exception cancelled', runs({ conclusion: 'cancelled' }), 'exception', ['required_check_failed']],
  [
    'is an exception where it failed when run again before the merge',
    runs({ completedAt: '2026-07-10T10:00:00.000Z' }, { conclusion: 'failure' }),
    'exception',
    ['required_check_failed'],
  ],
  [
    'is an exception where two ended at one moment and one failed',
    runs({}, { conclusion: 'failure' }),
    'exception',
    ['required_check_failed'],
  ],
  ['is an exception missing', { checks: known([]) }, 'exception', ['required_check_missing']],
  ['is an exception run on an older commit only', runs({ sha: older }), 'exception', ['required_check_missing']],
  [
    'is an exception over later',
    runs({ completedAt: '2026-07-10T12:00:01.000Z' }),
    'exception',
    ['required_check_late'],
  ],
  ['is an exception not over', runs({ completedAt: null }), 'exception', ['required_check_late']],
  [
    'is an exception where one of those known to be required failed, though others are not known',
    { ...runs({ conclusion: 'failure' }), requiredChecks: partly(['build']) },
    'exception',
    ['required_check_failed'],
  ],
  [
    'is an exception green on no commit, though the head is not known',
    { ...runs({ conclusion: 'failure' }, { sha: older, conclusion: 'failure' }), headSha: missing },
    'exception',
    ['required_check_failed'],
  ],
  [
    'is an exception never run, though the head is not known',
    { checks: known([]), headSha: missing },
    'exception',
    ['required_check_missing'],
  ],
  [
    'is a gap failed on one commit and green on another where the head is not known',
    { ...runs({}, { sha: older, conclusion: 'failure' }), headSha: missing },
    'gap',
    ['head_unknown'],
  ],
  ['is a gap where required checks are not known', { requiredChecks: missing }, 'gap', ['required_checks_unknown']],
  ['is a gap where checks are not known', { checks: missing }, 'gap', ['checks_missing']],
  ['is a gap where some checks are not known', { checks: partly([run]) }, 'gap', ['checks_missing']],
  ['is a gap where the head is not known', { headSha: missing }, 'gap', ['head_unknown']],
]);
