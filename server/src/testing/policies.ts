import { getPolicy, type PolicyDetail, type PolicyOutcome } from '@sightline/contract/compliance/policies.ts';
import { decidePolicyChange } from '@sightline/contract/compliance/policy-changes.ts';
import type { TestOrganization, TestServer } from './server.ts';

/** Lets a new Digest Reviewer approve a change of a policy, if it awaits an approval. Returns the policy after it. */
export async function approvePolicyChange(
  server: TestServer,
  { id: orgId, owner }: Pick<TestOrganization, 'id' | 'owner'>,
  { policy, pendingChange }: PolicyOutcome,
): Promise<PolicyDetail> {
  if (pendingChange) {
    const reviewer = server.as(await server.make.member(orgId, 'rol_reviewer'), orgId);
    await reviewer(decidePolicyChange, {
      params: { changeId: pendingChange.id },
      body: { approve: true, reason: 'Agreed in the weekly review.' },
    });
  }
  return server.as(owner, orgId)(getPolicy, { params: { policyId: pendingChange?.policyId ?? policy?.id ?? '' } });
}
