import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { provider } from '../core/providers.ts';
import { severity } from '../core/severities.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { exception, findingStatus, findingWaiverState } from './findings.ts';

/** The reasons for dismissing a finding. */
export const dismissReasons = [
  'false_positive',
  'not_exploitable',
  'used_in_tests',
  'mitigated',
  'will_not_fix',
  'rotated',
  'revoked',
] as const;
/** Reasons for secrets only: the secret is no longer valid. */
export const secretReasons: readonly DismissReason[] = ['rotated', 'revoked'];
export const dismissReason = z.enum(dismissReasons);
export type DismissReason = z.infer<typeof dismissReason>;

export const dismissReasonNames: Record<DismissReason, string> = {
  false_positive: 'False positive',
  not_exploitable: 'Not exploitable here',
  used_in_tests: 'Used in tests only',
  mitigated: 'Mitigated elsewhere',
  will_not_fix: 'Will not be fixed',
  rotated: 'Replaced by another secret',
  revoked: 'Revoked where it was issued',
};

const ids = z.array(z.uuid()).min(1).max(500);
const comment = boundedText(2000).trim();
/** Maximum duration of a waiver in days. */
export const MAX_WAIVER_DAYS = 180;
/** Minimum length of the reason for a waiver in characters. */
export const MIN_WAIVER_REASON_LENGTH = 10;

/** The result for each given finding; findings that are not listed are unchanged. */
const outcome = z.object({
  changed: z.array(z.string()),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type TriageOutcome = z.infer<typeof outcome>;

const writing = { scope: 'organization', permission: 'write:findings', flag: 'vulnerabilities' } as const;
const deciding = { scope: 'organization', permission: 'approve:exceptions', flag: 'vulnerabilities' } as const;

export const dismissFindings = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/dismiss',
  summary: 'Dismisses findings with a reason. The dismissal persists through rescans.',
  ...writing,
  body: z.strictObject({ ids, reason: dismissReason, comment: comment.default('') }),
  response: outcome,
});

export const reopenFindings = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/reopen',
  summary: 'Reopens findings: revokes their dismissal or waiver.',
  ...writing,
  body: z.strictObject({ ids, comment: comment.default('') }),
  response: outcome,
});

export const requestFindingWaivers = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/exceptions',
  summary: 'Requests a time-limited waiver for findings. Another person must approve it.',
  ...writing,
  body: z.strictObject({
    ids,
    until: timestamp,
    comment: comment.min(MIN_WAIVER_REASON_LENGTH, {
      error: `must be a reason of at least ${MIN_WAIVER_REASON_LENGTH} characters`,
    }),
  }),
  response: outcome,
});

/** Whether `until` is a permitted end of a waiver: in the future, within the maximum duration. */
export const isValidWaiverEnd = (until: Date, now: Date): boolean =>
  until > now && until.getTime() <= now.getTime() + MAX_WAIVER_DAYS * 86_400_000;

const listedException = exception.extend({
  /** The comment of the approver. */
  decision: z.string(),
  finding: z.object({
    id: z.string(),
    title: z.string(),
    severity,
    status: findingStatus,
    repository: z.object({ id: z.string(), fullName: z.string(), provider }),
  }),
  /** The actions of the requesting member. `decide` is never true for their own request. */
  allowed: z.object({ decide: z.boolean(), withdraw: z.boolean() }),
});
export type FindingWaiverListItem = z.infer<typeof listedException>;

export const listFindingWaivers = endpoint({
  method: 'GET',
  path: '/v2/vulnerabilities/exceptions',
  summary: 'Lists waiver requests with their state, by default pending ones.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  query: pagedQuery(['requested-asc', 'requested-desc', 'until-asc', 'until-desc'], {
    /** Empty: undecided requests. */
    state: commaList(findingWaiverState),
  }),
  response: z.array(listedException),
  paged: true,
});
export type FindingWaiversQuery = z.output<typeof listFindingWaivers.query>;

const ofException = z.strictObject({ findingId: z.uuid(), exceptionId: z.uuid() });

export const decideFindingWaiver = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/:findingId/exceptions/:exceptionId/decision',
  summary: 'Approves or denies a waiver that another person requested.',
  ...deciding,
  params: ofException,
  body: z.strictObject({ approve: z.boolean(), comment: comment.default('') }),
  status: 204,
  response: z.null(),
  errors: ['conflict'],
});

export const withdrawFindingWaiver = endpoint({
  method: 'DELETE',
  path: '/v2/vulnerabilities/:findingId/exceptions/:exceptionId',
  summary: 'Withdraws a waiver request of the caller.',
  ...writing,
  params: ofException,
  status: 204,
  response: z.null(),
  errors: ['conflict'],
});

export const mergeFindings = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/:findingId/merge',
  summary: 'Merges other findings of the same repository into this one.',
  ...writing,
  params: z.strictObject({ findingId: z.uuid() }),
  body: z.strictObject({ ids }),
  status: 204,
  response: z.null(),
  errors: ['conflict'],
});

export const splitFinding = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/:findingId/split',
  summary: 'Splits sources of a finding into a separate finding. Later scans keep them separate.',
  ...writing,
  params: z.strictObject({ findingId: z.uuid() }),
  body: z.strictObject({ sources: z.array(z.uuid()).min(1).max(100) }),
  response: z.object({ id: z.string() }),
  errors: ['conflict'],
});
