import { chg02 } from './chg-02.ts';
import { reached } from './testing/change-variants.ts';
import { known, missing } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

evaluates(chg02, goodOf(reached), [
  ['passes a commit of a merged pull request', {}, 'pass', ['by_pull_request']],
  ['fails pushed directly', { reachedBy: known('none') }, 'fail', ['direct_push']],
  ['fails where the push was forced', { isForced: known(true) }, 'fail', ['forced_push']],
  [
    'is an exception pushed directly, though the push was truncated',
    { reachedBy: known('none'), push: 'truncated' },
    'fail',
    ['direct_push'],
  ],
  [
    'is an exception where the push was forced, though nothing else of it is known',
    { isForced: known(true), push: 'lost', reachedBy: missing },
    'fail',
    ['forced_push'],
  ],
  [
    'is a gap where the push was lost',
    { push: 'lost', isForced: missing, reachedBy: missing },
    'missing_evidence',
    ['push_lost', 'force_unknown', 'merge_method_unknown'],
  ],
  [
    'has missing evidence where the push was truncated and not read again',
    { push: 'truncated' },
    'missing_evidence',
    ['push_truncated'],
  ],
  [
    'has missing evidence where it is not known whether it was forced',
    { isForced: missing },
    'missing_evidence',
    ['force_unknown'],
  ],
  [
    'has missing evidence where its pull request is not known',
    { reachedBy: missing },
    'missing_evidence',
    ['merge_method_unknown'],
  ],
]);
