import type { PullRequest } from '@sightline/contract/sources/pull-requests.ts';
import { expect, test } from 'vitest';
import { reviewStatusOf } from './reviews.ts';

type Reviewer = PullRequest['reviewers'][number];
const review = (state: Reviewer['state'], afterLastPush = true): Reviewer => ({
  login: state,
  name: state,
  picture: null,
  state,
  at: '2026-11-20T10:00:00Z',
  afterLastPush,
});

test.each<[string, Reviewer[], string]>([
  ['no one', [], 'Review requested'],
  ['an approval', [review('approved')], 'Approved'],
  ['an approval and a change request', [review('approved'), review('changes_requested')], 'Changes requested'],
  ['an outdated approval', [review('approved', false)], 'Changed since approval'],
  ['a comment', [review('commented')], 'Commented'],
])('marks an open pull request reviewed by %s', (_, reviewers, words) => {
  expect(reviewStatusOf({ status: 'in-progress', reviewers }).words).toBe(words);
});

test('marks a pull request merged without a review', () => {
  expect(reviewStatusOf({ status: 'accepted', reviewers: [] }).words).toBe('No review');
});
