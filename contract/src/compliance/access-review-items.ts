import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { roleIds } from '../core/permissions.ts';
import { commaList, timestamp } from '../core/text.ts';
import { memberStatuses } from '../organization/member-actions.ts';
import { accessHolder, holderKind, hostPermission } from '../sources/host-access.ts';
import { accessReview, reviewer, reviewParams, reviewReading, reviewSigning } from './access-reviews.ts';

const roleId = z.enum(roleIds);
export const reviewDecisions = ['kept', 'changed'] as const;
const decision = z.enum(reviewDecisions);

/** A member with the role at the time when the item was created. */
export const accessReviewItem = z.object({
  accountId: z.string(),
  name: z.string(),
  email: z.string(),
  roleId,
  /** The current role and status; null: no longer a member. */
  now: z.object({ roleId, status: z.enum(memberStatuses) }).nullable(),
  decision: z.object({ is: decision, at: timestamp, by: reviewer }).nullable(),
  /** Whether the requesting member may decide the item. Members cannot decide on themselves or change a signed item. */
  allowed: z.boolean(),
  own: z.boolean(),
});
export type AccessReviewItem = z.infer<typeof accessReviewItem>;

export const listAccessReviewItems = endpoint({
  method: 'GET',
  path: '/v2/access-reviews/:reviewId/items',
  summary: 'Lists the members under review with their decisions.',
  ...reviewReading,
  params: reviewParams,
  query: pagedQuery(['name-asc', 'name-desc', 'role-asc', 'role-desc'], {
    /** Empty: all decisions. */
    decision: commaList(z.enum(['none', ...reviewDecisions])),
    role: commaList(roleId),
  }),
  topics: ['orgMembers', 'orgEvidence'],
  response: z.array(accessReviewItem),
  paged: true,
});
export const exportAccessReviewItems = csvExportOf(listAccessReviewItems);

export const decideAccessReviewItems = endpoint({
  method: 'POST',
  path: '/v2/access-reviews/:reviewId/decisions',
  summary: 'Records that members keep their role or that it was changed. Reviewers cannot decide about themselves.',
  ...reviewSigning,
  params: reviewParams,
  body: z.strictObject({
    decision,
    lines: z
      .array(z.strictObject({ accountId: z.uuid(), roleId }))
      .min(1)
      .max(200),
  }),
  changes: ['orgEvidence'],
  response: accessReview,
  errors: ['conflict'],
});

/**
 * Access on code hosts: one permission of an account, deploy key or app on repositories. What a reviewer decided to
 * change has to be gone on the code host at the end of the quarter.
 */
export const accessReviewHostItem = z.object({
  id: z.string(),
  holder: accessHolder,
  permission: hostPermission,
  repositories: z.array(z.object({ id: z.string(), name: z.string() })),
  /** On how many of the repositories the permission is still in force, as of the last readings. */
  inForce: z.number().int(),
  decision: z.object({ is: decision, at: timestamp, by: reviewer }).nullable(),
  /** Whether the requesting member may decide the item. */
  allowed: z.boolean(),
  own: z.boolean(),
});
export type AccessReviewHostItem = z.infer<typeof accessReviewHostItem>;

export const listAccessReviewHostItems = endpoint({
  method: 'GET',
  path: '/v2/access-reviews/:reviewId/host-items',
  summary: 'Lists the access on code hosts under review with the decisions.',
  ...reviewReading,
  params: reviewParams,
  query: pagedQuery(['name-asc', 'name-desc', 'permission-desc', 'permission-asc'], {
    decision: commaList(z.enum(['none', ...reviewDecisions])),
    kind: commaList(holderKind),
    permission: commaList(hostPermission),
  }),
  topics: ['orgEvidence', 'orgRepos'],
  response: z.array(accessReviewHostItem),
  paged: true,
});
export const exportAccessReviewHostItems = csvExportOf(listAccessReviewHostItems);

export const decideAccessReviewHostItems = endpoint({
  method: 'POST',
  path: '/v2/access-reviews/:reviewId/host-decisions',
  summary: 'Records that access on code hosts is kept or has to change. Reviewers cannot decide about their own.',
  ...reviewSigning,
  params: reviewParams,
  body: z.strictObject({ decision, items: z.array(z.uuid()).min(1).max(200) }),
  changes: ['orgEvidence'],
  response: accessReview,
  errors: ['conflict'],
});
