import {
  createPolicy,
  decideAboutTools,
  deletePolicy,
  dryRunPolicy,
  dryRunProposedPolicy,
  exportPolicies,
  getPoliciesStatus,
  getPolicy,
  listPolicies,
  listPolicyKinds,
  restorePolicy,
  revertToolDecisions,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import {
  decidePolicyChange,
  exportPolicyChanges,
  listPolicyChanges,
  withdrawPolicyChange,
} from '@sightline/contract/compliance/policy-changes.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

const housePolicy = {
  kind: 'sla',
  scope: { repositories: null, branches: [] },
  settings: { 'VUL-02': { limit: 5 } },
};

export const endpointCases = [
  endpointCase(createPolicy, {
    request: () => ({ body: { name: 'House', ...housePolicy, mode: 'warn' } }),
    access: { allows: ['owner'] },
    writes: ['policy.created'],
  }),
  endpointCase(decideAboutTools, {
    request: () => ({ body: { decision: 'approved', tools: { ids: ['trivy'] } } }),
    access: { allows: ['owner'] },
    writes: ['policy_change.requested'],
  }),
  endpointCase(decidePolicyChange, {
    request: ({ policyChangeId }) => ({
      params: { changeId: policyChangeId },
      body: { approve: true, reason: 'Agreed in the weekly review.' },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    recentSignIn: true,
    writes: ['policy.created', 'policy_change.approved'],
  }),
  endpointCase(deletePolicy, {
    request: ({ policyId }) => ({ params: { policyId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['policy.deleted'],
  }),
  endpointCase(dryRunPolicy, {
    request: ({ policyId }) => ({ params: { policyId }, body: housePolicy }),
    access: { allows: ['owner'], foreign: 404 },
    writesNothing: 'Evaluates a draft and stores the run, but changes no policy.',
  }),
  endpointCase(dryRunProposedPolicy, {
    request: () => ({ body: housePolicy }),
    access: { allows: ['owner'] },
    writesNothing: 'Evaluates a draft and stores the run, but changes no policy.',
  }),
  endpointCase(getPoliciesStatus, {
    access: { allows: 'members' },
  }),
  endpointCase(getPolicy, {
    request: ({ policyId }) => ({ params: { policyId } }),
    access: { allows: 'members', foreign: 404 },
  }),
  ...listCases([listPolicies, exportPolicies], {
    request: () => ({ query: { search: 'secrets', kinds: 'sla,merge', modes: 'observe', sort: 'date-desc' } }),
    // Contributors see waivers without a repository only if they requested them.
    access: { allows: 'members' },
  }),
  ...listCases([listPolicyChanges, exportPolicyChanges], {
    request: ({ policyId }) => ({ query: { view: 'decided', sort: 'requested-asc', policyId } }),
    access: { allows: 'members' },
  }),
  endpointCase(listPolicyKinds, {
    access: { allows: 'members' },
  }),
  endpointCase(restorePolicy, {
    request: ({ endedPolicyId }) => ({ params: { policyId: endedPolicyId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['policy.restored'],
  }),
  endpointCase(revertToolDecisions, {
    request: ({ policyId }) => ({ body: { changes: [{ id: policyId, version: 1, previousVersion: null }] } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['policy.deleted'],
  }),
  endpointCase(updatePolicy, {
    request: ({ policyId }) => ({
      params: { policyId },
      body: { name: 'House', ...housePolicy, mode: 'observe', version: 1 },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['policy_change.requested'],
  }),
  endpointCase(withdrawPolicyChange, {
    request: ({ ownPolicyChangeId }) => ({ params: { changeId: ownPolicyChangeId } }),
    access: { allows: ['owner'], foreign: 404, except: { exchanged: 403 } },
    writes: ['policy_change.withdrawn'],
  }),
];
