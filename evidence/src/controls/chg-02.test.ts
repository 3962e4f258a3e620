import { chg02 } from './chg-02.ts';
import { reached } from './testing/change-variants.ts';
import { known, missing } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

judges(chg02, goodOf(reached), [
  ['passes a commit of a merged pull request', {}, 'pass', ['by_pull_request']],
  ['is an exception pushed directly', { cameBy: known('none') }, 'exception', ['direct_push']],
  ['is an exception where the push was forced', { isForced: known(true) }, 'exception', ['forced_push']],
  [
    'is an exception pushed directly, though the push was truncated',
    { cameBy: known('none'), push: 'truncated' },
    'exception',
    ['direct_push'],
  ],
  [
    'is an exception where the push was forced, though nothing else of it is known',
    { isForced: known(true), push: 'lost', cameBy: missing },
    'exception',
    ['forced_push'],
  ],
  [
    'is a gap where the push was lost',
    { push: 'lost', isForced: missing, cameBy: missing },
    'gap',
    ['push_lost', 'force_unknown', 'way_unknown'],
  ],
  ['is a gap where the push was truncated and not read again', { push: 'truncated' }, 'gap', ['push_truncated']],
  ['is a gap where it is not known whether it was forced', { isForced: missing }, 'gap', ['force_unknown']],
  ['is a gap where its pull request is not known', { cameBy: missing }, 'gap', ['way_unknown']],
]);
