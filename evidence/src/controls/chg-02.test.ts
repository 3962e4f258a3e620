import { chg02 } from './chg-02.ts';
import { reached } from './testing/change-variants.ts';
import { known, missing } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

evaluates(chg02, goodOf(reached), [
  ['passes a commit of a merged pull request', {}, 'pass', ['by_pull_request']],
  ['fails if pushed directly', { reachedBy: known('none') }, 'fail', ['direct_push']],
  ['fails if the push was forced', { isForced: known(true) }, 'fail', ['forced_push']],
  [
    'fails if pushed directly, even if the push was truncated',
    { reachedBy: known('none'), push: 'truncated' },
    'fail',
    ['direct_push'],
  ],
  [
    'fails if the push was forced, even if nothing else is known',
    { isForced: known(true), push: 'lost', reachedBy: missing },
    'fail',
    ['forced_push'],
  ],
  [
    'has missing evidence if the push was lost',
    { push: 'lost', isForced: missing, reachedBy: missing },
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
    { isForced: missing },
    'missing_evidence',
    ['force_unknown'],
  ],
  [
    'has missing evidence if its pull request is unknown',
    { reachedBy: missing },
    'missing_evidence',
    ['merge_method_unknown'],
  ],
]);
