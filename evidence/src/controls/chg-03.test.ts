import { chg03 } from './chg-03.ts';
import { merge, review } from './testing/change-variants.ts';
import { agent, erased, human, known, missing, nobody, ofUnknownKind, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const byAuthor = { mergedBy: known(human('per_author')) };
const byQueue = { mergedBy: known(agent('per_queue')), mergeMethod: known('merge_queue' as const) };
const unapproved = { reviews: known([]) };

evaluates(chg03, goodOf(merge), [
  ['passes if merged by another person, approved or not', unapproved, 'pass', ['merged_by_another']],
  [
    'passes if merged by another person, even without data on reviews',
    { reviews: missing },
    'pass',
    ['merged_by_another'],
  ],
  ['passes if merged by an author with an independent approval', byAuthor, 'pass', ['independent_approval']],
  [
    'passes with an independent approval, even if the merger is missing',
    { mergedBy: missing },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes if merged by a program at the request of another person',
    { ...byQueue, ...unapproved, mergeRequestedBy: known(human('per_merger')) },
    'pass',
    ['merged_by_another'],
  ],
  [
    'fails if merged by an author without an independent approval',
    { ...byAuthor, ...unapproved },
    'fail',
    ['merged_by_author', 'no_independent_approval'],
  ],
  [
    'fails if merged by an author with only an approval by an author',
    { ...byAuthor, reviews: known([{ ...review, by: human('per_author') }]) },
    'fail',
    ['merged_by_author', 'no_independent_approval', 'approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'],
  ],
  [
    'fails if merged by one of several authors, even if others are unknown',
    { ...byAuthor, ...unapproved, authors: partly([human('per_author')]) },
    'fail',
    ['merged_by_author', 'no_independent_approval'],
  ],
  [
    'fails if merged by a program at the request of an author',
    { ...byQueue, ...unapproved, mergeRequestedBy: known(human('per_author')) },
    'fail',
    ['merged_by_author', 'no_independent_approval'],
  ],
  [
    'has missing evidence if the merger is missing',
    { ...unapproved, mergedBy: missing },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the merger is unresolved',
    { ...unapproved, mergedBy: known(nobody) },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the merger is erased',
    { ...unapproved, mergedBy: known(erased('per_merger')) },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the merger may be a program',
    { ...unapproved, mergedBy: known(ofUnknownKind('per_merger')) },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if merged by a program and the requester is missing',
    { ...byQueue, ...unapproved },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if an author is unresolved',
    { ...unapproved, authors: known([nobody]) },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the authors are missing',
    { ...unapproved, authors: missing },
    'missing_evidence',
    ['authors_missing', 'merger_unresolved'],
  ],
  [
    'has missing evidence if merged by an author and reviews are unknown',
    { ...byAuthor, reviews: missing },
    'missing_evidence',
    ['reviews_missing'],
  ],
]);
