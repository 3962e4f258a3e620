import { chg02 } from './chg-02.ts';
import { reached } from './testing/change-variants.ts';
import { completeFact, missingFact } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

testVerdicts(chg02, passingRowOf(reached), [
  ['passes a commit of a merged pull request', {}, 'pass', ['by_pull_request']],
  [
    'passes a commit of a host that does not report activity, and says so',
    { hostActivity: completeFact('not_reported') },
    'pass',
    ['by_pull_request', 'host_activity_not_reported'],
  ],
  [
    'fails if the code host names a direct push, although it shows the pull request as merged',
    { hostActivity: completeFact('forced_push') },
    'fail',
    ['merged_by_push'],
  ],
  [
    'has missing evidence if it is unknown what the code host names the push',
    { hostActivity: missingFact },
    'missing_evidence',
    ['host_activity_unknown'],
  ],
  ['fails if pushed directly', { reachedBy: completeFact('none') }, 'fail', ['direct_push']],
  ['fails if the push was forced', { isForced: completeFact(true) }, 'fail', ['forced_push']],
  [
    'fails if pushed directly, even if the push was truncated',
    { reachedBy: completeFact('none'), push: 'truncated' },
    'fail',
    ['direct_push'],
  ],
  [
    'fails if the push was forced, even if nothing else is known',
    { isForced: completeFact(true), push: 'lost', reachedBy: missingFact },
    'fail',
    ['forced_push'],
  ],
  [
    'has missing evidence if the push was lost',
    { push: 'lost', isForced: missingFact, reachedBy: missingFact },
    'missing_evidence',
    ['push_lost', 'force_unknown', 'merge_method_unknown'],
  ],
  [
    'has missing evidence if the push was truncated and not recovered',
    { push: 'truncated' },
    'missing_evidence',
    ['push_truncated'],
  ],
  [
    'has missing evidence if it is unknown whether the push was forced',
    { isForced: missingFact },
    'missing_evidence',
    ['force_unknown'],
  ],
  [
    'has missing evidence if its pull request is unknown',
    { reachedBy: missingFact },
    'missing_evidence',
    ['merge_method_unknown'],
  ],
]);
