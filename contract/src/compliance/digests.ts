import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { periodEnds } from '../core/periods.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';

/** The decision of a reviewer on one flagged item. */
export const digestItemDecision = z.enum(['accepted', 'follow_up', 'wrong']);
export type DigestItemDecision = z.infer<typeof digestItemDecision>;

/** `partly`: some items still require a decision by an independent reviewer. */
export const digestStates = ['open', 'partly', 'signed'] as const;
export const digestState = z.enum(digestStates);
export type DigestState = z.infer<typeof digestState>;

/** Counts of the activity in a repository in one week. */
export const digestCounts = z.object({
  changes: z.number().int(),
  /** Changes without independent approval. */
  withoutApproval: z.number().int(),
  /** Changes with agent contributions. */
  byAgents: z.number().int(),
  /** Commits that reached a branch in scope, and those without a pull request. */
  commits: z.number().int(),
  directCommits: z.number().int(),
  /** People who committed to the repository for the first time. */
  newCommitters: z.number().int(),
  protectionChanges: z.number().int(),
  newTools: z.number().int(),
  /** New findings with severity critical or high. */
  seriousFindings: z.number().int(),
  /** Findings that exceeded their time limit. */
  overTimeLimit: z.number().int(),
  /** Waivers that were requested, decided or are about to expire. */
  waivers: z.number().int(),
});
export type DigestCounts = z.infer<typeof digestCounts>;

const reviewer = z.object({ accountId: z.string(), name: z.string().nullable() });

export const digest = z.object({
  id: z.string(),
  repository: z.object({ id: z.string(), provider: z.string(), fullName: z.string() }),
  period: periodEnds,
  /** The time from which the digest awaits a review. */
  dueAt: timestamp,
  state: digestState,
  counts: digestCounts,
  /** Number of flagged items, and of those with a decision. */
  flagged: z.number().int(),
  decided: z.number().int(),
  /** Rows with missing evidence. */
  missingEvidence: z.number().int(),
  signedAt: timestamp.nullable(),
  /** Who requested the digest, and when it was created; null for a digest on schedule. It is due since the end of its week. */
  requested: z.object({ by: reviewer, createdAt: timestamp }).nullable(),
});
export type Digest = z.infer<typeof digest>;

const explainedReason = z.object({ code: z.string(), text: z.string(), about: z.string().nullable() });

export const digestItem = z.object({
  /** The subject, as named by rows of controls. */
  subject: z.string(),
  title: z.string(),
  /** The failed controls with reasons. */
  controls: z.array(z.object({ id: controlId, title: z.string(), reasons: z.array(explainedReason) })),
  /** Path of the item in the product; null: no page. */
  link: z.string().nullable(),
  /** The reader contributed to the item, so another reviewer must decide. */
  isMine: z.boolean(),
  decision: z.object({ choice: digestItemDecision, by: reviewer, at: timestamp }).nullable(),
});
export type DigestItem = z.infer<typeof digestItem>;

export const digestDetail = digest.extend({
  /** SHA-256 of the body in hex, which a reviewer signs. */
  bodySha256: z.string(),
  asOf: z.object({ epoch: z.number().int(), size: z.number().int() }),
  items: z.array(digestItem),
  missing: z.array(
    z.object({ control: controlId, title: z.string(), rows: z.number().int(), reasons: z.array(explainedReason) }),
  ),
  reviews: z.array(
    z.object({
      id: z.string(),
      by: reviewer,
      decision: z.enum(['reviewed', 'follow_up']),
      note: z.string(),
      at: timestamp,
      /** Whether this review completed the decisions. */
      completes: z.boolean(),
    }),
  ),
});
export type DigestDetail = z.infer<typeof digestDetail>;

/** The Monday of a week in UTC, such as `2026-11-16`. */
const firstDay = z.iso
  .date()
  .refine((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 1, { error: 'must be a Monday' });

const base = { method: 'GET', scope: 'organization', permission: 'read:commit-digest' } as const;
const params = z.strictObject({ digestId: z.uuid() });

export const listDigests = endpoint({
  ...base,
  path: '/v2/digests',
  summary: 'Lists the commit digests: the weekly activity of each repository.',
  query: pagedQuery(['due-desc', 'due-asc'], {
    state: commaList(digestState),
    repository: z.uuid().optional(),
  }),
  topics: ['orgDigests'],
  response: z.array(digest),
  paged: true,
});
export const exportDigests = csvExportOf(listDigests);

export const createWeekDigests = endpoint({
  method: 'POST',
  scope: 'organization',
  permission: 'create:evidence',
  path: '/v2/digests',
  summary:
    'Creates the commit digests of a past week for the repositories without one. They are due since the end of the week, so a late digest cannot be signed off in time.',
  body: z.strictObject({ week: firstDay }),
  status: 202,
  changes: ['orgDigests'],
  response: z.object({
    week: firstDay,
    /** Repositories that get a digest. */
    repositories: z.number().int(),
  }),
  errors: ['conflict'],
});

export const getDigest = endpoint({
  ...base,
  path: '/v2/digests/:digestId',
  summary: 'Returns a commit digest with flagged items, missing evidence and reviews.',
  params,
  topics: ['orgDigests'],
  response: digestDetail,
  errors: ['not_found'],
});

export const reviewDigest = endpoint({
  method: 'POST',
  scope: 'organization',
  permission: 'create:evidence',
  path: '/v2/digests/:digestId/review',
  summary:
    'Signs off a commit digest as shown to the reviewer. Another reviewer must decide on items that the reviewer contributed to.',
  params,
  body: z.strictObject({
    /** The hash of the body that the reviewer saw. */
    bodySha256: z.string().regex(/^[0-9a-f]{64}$/),
    decision: z.enum(['reviewed', 'follow_up']),
    note: boundedText(2000).default(''),
    items: z.array(z.strictObject({ subject: boundedText(300), choice: digestItemDecision })).max(1000),
  }),
  changes: ['orgDigests'],
  response: digestDetail,
  errors: ['not_found', 'conflict'],
});
