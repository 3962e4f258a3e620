import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText } from '../core/text.ts';

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

/** The findings that a decision concerns. */
export const triageIds = z.array(z.uuid()).min(1).max(500);
const comment = boundedText(2000).trim();

/** The result for each given finding; findings that are not listed are unchanged. */
export const triageOutcome = z.object({
  changed: z.array(z.string()),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type TriageOutcome = z.infer<typeof triageOutcome>;

const writing = { scope: 'organization', permission: 'write:findings', flag: 'vulnerabilities' } as const;

export const dismissFindings = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/dismiss',
  summary: 'Dismisses findings with a reason. The dismissal persists through rescans.',
  ...writing,
  body: z.strictObject({ ids: triageIds, reason: dismissReason, comment: comment.default('') }),
  changes: ['orgFindings'],
  response: triageOutcome,
});

export const reopenFindings = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/reopen',
  summary: 'Reopens findings: revokes their dismissal or waiver.',
  ...writing,
  body: z.strictObject({ ids: triageIds, comment: comment.default('') }),
  changes: ['orgFindings'],
  response: triageOutcome,
});

export const mergeFindings = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/:findingId/merge',
  summary: 'Merges other findings of the same repository into this one.',
  ...writing,
  params: z.strictObject({ findingId: z.uuid() }),
  body: z.strictObject({ ids: triageIds }),
  status: 204,
  changes: ['orgFindings'],
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
  changes: ['orgFindings'],
  response: z.object({ id: z.string() }),
  errors: ['conflict'],
});
