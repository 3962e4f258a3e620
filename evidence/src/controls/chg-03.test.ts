import { chg03 } from './chg-03.ts';
import { merge, review } from './testing/change-variants.ts';
import { agent, erased, human, known, missing, nobody, ofUnknownKind, partly } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const byAuthor = { mergedBy: known(human('per_author')) };
const byQueue = { mergedBy: known(agent('per_queue')), via: known('merge_queue' as const) };
const unapproved = { reviews: known([]) };

judges(chg03, goodOf(merge), [
  ['passes merged by another person, approved or not', unapproved, 'pass', ['merged_by_another']],
  [
    'passes merged by another person, even without data on reviews',
    { reviews: missing },
    'pass',
    ['merged_by_another'],
  ],
  ['passes merged by an author with an independent approval', byAuthor, 'pass', ['independent_approval']],
  [
    'passes with an independent approval, even if the merger is missing',
    { mergedBy: missing },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes merged by a program at the request of another person',
    { ...byQueue, ...unapproved, mergeAskedBy: known(human('per_merger')) },
    'pass',
    ['merged_by_another'],
  ],
  [
    'is an exception merged by an author without an independent approval',
    { ...byAuthor, ...unapproved },
    'exception',
    ['merged_by_author', 'no_independent_approval'],
  ],
  [
    'is an exception merged by an author whom only an author approved',
    { ...byAuthor, reviews: known([{ ...review, by: human('per_author') }]) },
    'exception',
    ['merged_by_author', 'no_independent_approval', 'approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'],
  ],
  [
    'is an exception merged by one of several authors, though others are not known',
    { ...byAuthor, ...unapproved, authors: partly([human('per_author')]) },
    'exception',
    ['merged_by_author', 'no_independent_approval'],
  ],
  [
    'is an exception merged by a program that an author asked to',
    { ...byQueue, ...unapproved, mergeAskedBy: known(human('per_author')) },
    'exception',
    ['merged_by_author', 'no_independent_approval'],
  ],
  ['is a gap where the merger is missing', { ...unapproved, mergedBy: missing }, 'gap', ['merger_unresolved']],
  ['is a gap where who merged is unresolved', { ...unapproved, mergedBy: known(nobody) }, 'gap', ['merger_unresolved']],
  [
    'is a gap where who merged is erased',
    { ...unapproved, mergedBy: known(erased('per_merger')) },
    'gap',
    ['merger_unresolved'],
  ],
  [
    'is a gap where who merged may be a program',
    { ...unapproved, mergedBy: known(ofUnknownKind('per_merger')) },
    'gap',
    ['merger_unresolved'],
  ],
  [
    'is a gap merged by a program where the requester is missing',
    { ...byQueue, ...unapproved },
    'gap',
    ['merger_unresolved'],
  ],
  ['is a gap where an author is unresolved', { ...unapproved, authors: known([nobody]) }, 'gap', ['merger_unresolved']],
  [
    'is a gap where the authors are missing',
    { ...unapproved, authors: missing },
    'gap',
    ['authors_missing', 'merger_unresolved'],
  ],
  [
    'is a gap merged by an author where reviews are not known',
    { ...byAuthor, reviews: missing },
    'gap',
    ['reviews_missing'],
  ],
]);
