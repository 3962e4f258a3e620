import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { roleIds } from '../core/permissions.ts';
import { commaList, timestamp } from '../core/text.ts';
import { memberStatuses } from '../organization/member-actions.ts';
import { accessHolder, holderKind, hostPermission } from '../sources/host-access.ts';

/** Days before the end of a quarter on which its access review opens. */
export const REVIEW_LEAD_DAYS = 14;

/** `open`: items are undecided. `decided`: a signature is missing. `signed`: the signature covers every item. */
export const reviewStates = ['open', 'decided', 'signed'] as const;

const reviewer = z.object({ id: z.string(), name: z.string() });

/** The access review of one quarter. */
export const accessReview = z.object({
  id: z.string(),
  /** First day of the quarter, such as `2026-10-01`. */
  quarter: z.string(),
  openedAt: timestamp,
  /** The member who opened the review before its schedule; null for a review on schedule. */
  openedBy: reviewer.nullable(),
  /** The end of the quarter. A later signature is late. */
  dueAt: timestamp,
  state: z.enum(reviewStates),
  lines: z.number().int(),
  decided: z.number().int(),
  /** The last signature. */
  signed: z.object({ at: timestamp, by: reviewer }).nullable(),
});
export type AccessReview = z.infer<typeof accessReview>;

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

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
const signing = { scope: 'organization', permission: 'create:evidence' } as const;
const params = z.strictObject({ reviewId: z.uuid() });

export const listAccessReviews = endpoint({
  method: 'GET',
  path: '/v2/access-reviews',
  summary: 'Lists the quarterly access reviews.',
  ...reading,
  query: pagedQuery(['quarter-desc', 'quarter-asc'], { state: commaList(z.enum(reviewStates)) }),
  topics: ['orgEvidence'],
  response: z.array(accessReview),
  paged: true,
});

export const openAccessReview = endpoint({
  method: 'POST',
  path: '/v2/access-reviews',
  summary: 'Opens the access review of the current quarter now, or adds the members and access that are missing in it.',
  ...signing,
  status: 201,
  changes: ['orgEvidence'],
  response: accessReview,
  errors: ['conflict'],
});

export const getAccessReview = endpoint({
  method: 'GET',
  path: '/v2/access-reviews/:reviewId',
  summary: 'Returns an access review.',
  ...reading,
  params,
  topics: ['orgEvidence'],
  response: accessReview,
});

export const listAccessReviewItems = endpoint({
  method: 'GET',
  path: '/v2/access-reviews/:reviewId/items',
  summary: 'Lists the members under review with their decisions.',
  ...reading,
  params,
  query: pagedQuery(['name-asc', 'name-desc', 'role-asc', 'role-desc'], {
    /** Empty: all decisions. */
    decision: commaList(z.enum(['none', ...reviewDecisions])),
    role: commaList(roleId),
  }),
  topics: ['orgMembers', 'orgEvidence'],
  response: z.array(accessReviewItem),
  paged: true,
});

export const decideAccessReviewItems = endpoint({
  method: 'POST',
  path: '/v2/access-reviews/:reviewId/decisions',
  summary: 'Records that members keep their role or that it was changed. Reviewers cannot decide about themselves.',
  ...signing,
  params,
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
  ...reading,
  params,
  query: pagedQuery(['name-asc', 'name-desc', 'permission-desc', 'permission-asc'], {
    decision: commaList(z.enum(['none', ...reviewDecisions])),
    kind: commaList(holderKind),
    permission: commaList(hostPermission),
  }),
  topics: ['orgEvidence', 'orgRepos'],
  response: z.array(accessReviewHostItem),
  paged: true,
});

export const decideAccessReviewHostItems = endpoint({
  method: 'POST',
  path: '/v2/access-reviews/:reviewId/host-decisions',
  summary: 'Records that access on code hosts is kept or has to change. Reviewers cannot decide about their own.',
  ...signing,
  params,
  body: z.strictObject({ decision, items: z.array(z.uuid()).min(1).max(200) }),
  changes: ['orgEvidence'],
  response: accessReview,
  errors: ['conflict'],
});

export const signAccessReview = endpoint({
  method: 'POST',
  path: '/v2/access-reviews/:reviewId/signature',
  summary: 'Signs an access review after every item is decided.',
  ...signing,
  params,
  /** The counts that the signer saw. The server rejects the signature if items or decisions were added since. */
  body: z.strictObject({ lines: z.number().int(), decided: z.number().int() }),
  changes: ['orgEvidence'],
  response: accessReview,
  errors: ['conflict'],
});
