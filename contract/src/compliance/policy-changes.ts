import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText } from '../core/text.ts';
import { policyChange } from './policies.ts';

/** Minimum length of the reason of a decision in characters. */
export const MIN_POLICY_DECISION_REASON_LENGTH = 10;
/** Days without another member who could approve, after which an owner may approve their own request. */
export const SOLE_APPROVER_DAYS = 7;

const params = z.strictObject({ changeId: z.uuid() });

export const listPolicyChanges = endpoint({
  method: 'GET',
  path: '/v2/policies/changes',
  summary: 'Lists the changes of policies that weaken controls: pending or decided.',
  scope: 'organization',
  permission: 'read:policies',
  query: pagedQuery(['requested-desc', 'requested-asc'], {
    view: z.enum(['pending', 'decided']).default('pending'),
    /** Of this policy only. */
    policyId: z.uuid().optional(),
  }),
  topics: ['orgPolicies', 'orgMembers'],
  response: z.array(policyChange),
  paged: true,
});
export const exportPolicyChanges = csvExportOf(listPolicyChanges);
export type PolicyChangesQuery = z.output<typeof listPolicyChanges.query>;

export const decidePolicyChange = endpoint({
  method: 'POST',
  path: '/v2/policies/changes/:changeId/decision',
  summary: 'Approves and applies, or rejects, a change of a policy that another person requested.',
  scope: 'organization',
  permission: 'approve:exceptions',
  stepUp: true,
  params,
  body: z.strictObject({
    approve: z.boolean(),
    reason: boundedText(2000)
      .trim()
      .min(MIN_POLICY_DECISION_REASON_LENGTH, {
        error: `must be a reason of at least ${MIN_POLICY_DECISION_REASON_LENGTH} characters`,
      }),
  }),
  status: 204,
  changes: ['orgPolicies'],
  response: z.null(),
  errors: ['conflict'],
});

export const withdrawPolicyChange = endpoint({
  method: 'DELETE',
  path: '/v2/policies/changes/:changeId',
  summary: 'Withdraws a pending change of a policy that the caller requested.',
  scope: 'organization',
  permission: 'write:policies',
  params,
  status: 204,
  changes: ['orgPolicies'],
  response: z.null(),
  errors: ['conflict'],
});
