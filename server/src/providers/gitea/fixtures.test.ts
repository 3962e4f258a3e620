import { expect, test } from 'vitest';
import branchDelete from './fixtures/branch_delete.json' with { type: 'json' };
import push from './fixtures/push.json' with { type: 'json' };
import approved from './fixtures/review_approved.json' with { type: 'json' };
import reviews from './fixtures/reviews.json' with { type: 'json' };
import { pullRequestFrom, reviewsFrom } from './pull-request-shapes.ts';
import { giteaWebhooks } from './webhooks.ts';

test('reads the published examples of pushes and deleted branches', () => {
  const [pushed] = giteaWebhooks.read('push', push);
  expect(pushed).toMatchObject({
    kind: 'push',
    repository: { id: '61@try.gitea.io' },
    ref: 'refs/heads/master',
    before: '9836a96a253cce25d17988fcf41b8c4205cf779f',
    after: '4522cbcefc20728a5b72b3a86af35e608622c514',
    shas: ['4522cbcefc20728a5b72b3a86af35e608622c514'],
    // The version of the example does not count the commits of a push.
    isWhole: false,
    pusher: { login: 'unknwon', hostId: '1' },
  });
  expect(giteaWebhooks.read('delete', branchDelete)).toMatchObject([
    { kind: 'ref_deleted', repository: { id: '61@try.gitea.io' }, ref: 'refs/heads/feature' },
  ]);
});

test('reads the published example of an approval', () => {
  expect(giteaWebhooks.read('pull_request_approved', approved)).toMatchObject([
    { kind: 'pull_request', repository: { id: '6589@try.gitea.io' }, number: 1 },
  ]);
  expect(pullRequestFrom(approved.pull_request)).toMatchObject({
    state: 'in-progress',
    author: { login: 'jcitizen', hostId: '6641' },
    headSha: '2eba238e33607c1fa49253182e9fff42baafa1eb',
    mergeBase: '39af58f1eff02aa308e16913e887c8d50362b474',
    isFromFork: false,
    mergedAt: null,
  });
});

test('a review that was not submitted is no review', () => {
  expect(reviewsFrom(reviews)).toEqual([]);
  const [pending] = reviews;
  expect(reviewsFrom([{ ...pending, state: 'APPROVED' }])).toMatchObject([
    { id: '1', state: 'approved', sha: '5c23b301e7eb47aa83de90cf08e0a75b4c0906c8', user: { login: 'jcitizen' } },
  ]);
});
