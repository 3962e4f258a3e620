import {
  decideAccessReviewHostItems,
  decideAccessReviewItems,
  exportAccessReviewHostItems,
  exportAccessReviewItems,
  listAccessReviewHostItems,
  listAccessReviewItems,
} from '@sightline/contract/compliance/access-review-items.ts';
import {
  exportAccessReviews,
  getAccessReview,
  listAccessReviews,
  openAccessReview,
  signAccessReview,
} from '@sightline/contract/compliance/access-reviews.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(decideAccessReviewHostItems, {
    request: ({ reviewId, hostItemId }) => ({
      params: { reviewId },
      body: { decision: 'changed', items: [hostItemId] },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['access_review.decided'],
  }),
  ...listCases([listAccessReviewHostItems, exportAccessReviewHostItems], {
    request: ({ reviewId }) => ({
      params: { reviewId },
      query: { sort: 'permission-desc', decision: 'none,kept', kind: 'person', permission: 'write', search: 'm' },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(decideAccessReviewItems, {
    request: ({ reviewId, memberId }) => ({
      params: { reviewId },
      body: { decision: 'kept', lines: [{ accountId: memberId, roleId: 'rol_contributor' }] },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['access_review.decided'],
  }),
  endpointCase(getAccessReview, {
    request: ({ reviewId }) => ({ params: { reviewId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  ...listCases([listAccessReviewItems, exportAccessReviewItems], {
    request: ({ reviewId }) => ({
      params: { reviewId },
      query: { sort: 'role-desc', decision: 'none,kept', role: 'rol_contributor', search: '@' },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  ...listCases([listAccessReviews, exportAccessReviews], {
    request: () => ({ query: { sort: 'quarter-asc' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(openAccessReview, {
    access: { allows: ['owner', 'reviewer'] },
    writes: ['access_review.extended', 'access_review.opened'],
  }),
  endpointCase(signAccessReview, {
    request: ({ decidedReviewId }) => ({
      params: { reviewId: decidedReviewId },
      body: { lines: 1, decided: 1 },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['access_review.signed'],
  }),
];
