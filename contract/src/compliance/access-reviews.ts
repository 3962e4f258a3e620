import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { commaList, timestamp } from '../core/text.ts';

/** Days before the end of a quarter on which its access review opens. */
export const REVIEW_LEAD_DAYS = 14;

/** `open`: items are undecided. `decided`: a signature is missing. `signed`: the signature covers every item. */
export const reviewStates = ['open', 'decided', 'signed'] as const;

export const reviewer = z.object({ id: z.string(), name: z.string() });

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

export const reviewReading = { scope: 'organization', permission: 'read:evidence' } as const;
export const reviewSigning = { scope: 'organization', permission: 'create:evidence' } as const;
export const reviewParams = z.strictObject({ reviewId: z.uuid() });

export const listAccessReviews = endpoint({
  method: 'GET',
  path: '/v2/access-reviews',
  summary: 'Lists the quarterly access reviews.',
  ...reviewReading,
  query: pagedQuery(['quarter-desc', 'quarter-asc'], { state: commaList(z.enum(reviewStates)) }),
  topics: ['orgEvidence'],
  response: z.array(accessReview),
  paged: true,
});
export const exportAccessReviews = csvExportOf(listAccessReviews);

export const openAccessReview = endpoint({
  method: 'POST',
  path: '/v2/access-reviews',
  summary: 'Opens the access review of the current quarter now, or adds the members and access that are missing in it.',
  ...reviewSigning,
  status: 201,
  changes: ['orgEvidence'],
  response: accessReview,
  errors: ['conflict'],
});

export const getAccessReview = endpoint({
  method: 'GET',
  path: '/v2/access-reviews/:reviewId',
  summary: 'Returns an access review.',
  ...reviewReading,
  params: reviewParams,
  topics: ['orgEvidence'],
  response: accessReview,
});

export const signAccessReview = endpoint({
  method: 'POST',
  path: '/v2/access-reviews/:reviewId/signature',
  summary: 'Signs an access review after every item is decided.',
  ...reviewSigning,
  params: reviewParams,
  /** The counts that the signer saw. The server rejects the signature if items or decisions were added since. */
  body: z.strictObject({ lines: z.number().int(), decided: z.number().int() }),
  changes: ['orgEvidence'],
  response: accessReview,
  errors: ['conflict'],
});
