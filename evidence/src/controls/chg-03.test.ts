import { chg03 } from './chg-03.ts';
import { merge, review } from './testing/change-variants.ts';
import {
  actorOfUnknownKind,
  agent,
  completeFact,
  erasedActor,
  human,
  missingFact,
  partialFact,
  unresolvedActor,
} from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

const byAuthor = { mergedBy: completeFact(human('per_author')) };
const byQueue = { mergedBy: completeFact(agent('per_queue')), mergeMethod: completeFact('merge_queue' as const) };
const unapproved = { reviews: completeFact([]) };

testVerdicts(chg03, passingRowOf(merge), [
  [
    'fails for every merger if the merged commit has own content',
    { unreviewedFiles: completeFact(1) },
    'fail',
    ['merge_has_own_content', 'merged_by_author', 'no_independent_approval'],
  ],
  [
    'has missing evidence if the content of the merged commit is unknown',
    { unreviewedFiles: missingFact },
    'missing_evidence',
    ['merge_content_unknown'],
  ],
  [
    'has missing evidence if a program pushed unsigned commits, which the merger may have written',
    { unattestedCommits: completeFact(1) },
    'missing_evidence',
    ['authors_unattested'],
  ],
  ['passes if merged by another person, approved or not', unapproved, 'pass', ['merged_by_another']],
  [
    'passes if merged by another person, even without data on reviews',
    { reviews: missingFact },
    'pass',
    ['merged_by_another'],
  ],
  ['passes if merged by an author with an independent approval', byAuthor, 'pass', ['independent_approval']],
  [
    'passes with an independent approval, even if the merger is missing',
    { mergedBy: missingFact },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes if merged by a program at the request of another person',
    { ...byQueue, ...unapproved, mergeRequestedBy: completeFact(human('per_merger')) },
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
    { ...byAuthor, reviews: completeFact([{ ...review, by: human('per_author') }]) },
    'fail',
    ['merged_by_author', 'no_independent_approval', 'approved_by_author:rev_1', 'approved_by_last_pusher:rev_1'],
  ],
  [
    'fails if merged by one of several authors, even if others are unknown',
    { ...byAuthor, ...unapproved, authors: partialFact([human('per_author')]) },
    'fail',
    ['merged_by_author', 'no_independent_approval'],
  ],
  [
    'fails if merged by a program at the request of an author',
    { ...byQueue, ...unapproved, mergeRequestedBy: completeFact(human('per_author')) },
    'fail',
    ['merged_by_author', 'no_independent_approval'],
  ],
  [
    'has missing evidence if the merger is missing',
    { ...unapproved, mergedBy: missingFact },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the merger is unresolved',
    { ...unapproved, mergedBy: completeFact(unresolvedActor) },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the merger is erased',
    { ...unapproved, mergedBy: completeFact(erasedActor('per_merger')) },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the merger may be a program',
    { ...unapproved, mergedBy: completeFact(actorOfUnknownKind('per_merger')) },
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
    { ...unapproved, authors: completeFact([unresolvedActor]) },
    'missing_evidence',
    ['merger_unresolved'],
  ],
  [
    'has missing evidence if the authors are missing',
    { ...unapproved, authors: missingFact },
    'missing_evidence',
    ['authors_missing', 'merger_unresolved'],
  ],
  [
    'has missing evidence if merged by an author and reviews are unknown',
    { ...byAuthor, reviews: missingFact },
    'missing_evidence',
    ['reviews_missing'],
  ],
]);
