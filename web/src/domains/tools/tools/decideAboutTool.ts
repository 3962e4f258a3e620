import {
  createPolicy,
  deletePolicy,
  listPolicies,
  type Policy,
  type PolicyOutcome,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import type { Tool, ToolApproval } from '@sightline/contract/tools/tools.ts';
import { call } from '#lib/api.ts';

export type ApprovalDecision = Exclude<ToolApproval, 'unreviewed'>;

export const policyKindOfDecision: Record<ApprovalDecision, 'tool-allow' | 'tool-deny'> = {
  approved: 'tool-allow',
  denied: 'tool-deny',
};
const newNames: Record<ApprovalDecision, string> = { approved: 'Approved tools', denied: 'Denied tools' };

/** The query of active tool policies. Their number per organization fits on one page. */
export const toolPoliciesQuery = { query: { kinds: Object.values(policyKindOfDecision), perPage: 100 } };

export const policyNamesTool = ({ scope }: Policy, { id }: Pick<Tool, 'id'>): boolean =>
  scope.tools.some((one) => one.id === id);

/**
 * Returns policies of the other kind that contradict a decision. A decision about all versions contradicts every policy
 * with the tool, a decision about some versions only policies without versions.
 */
export const contradictingPolicies = (
  policies: readonly Policy[],
  tool: Tool,
  decision: ApprovalDecision,
  versions: string[] | null,
): Policy[] =>
  policies.filter(
    ({ kind, scope }) =>
      kind !== policyKindOfDecision[decision] &&
      scope.tools.some((one) => one.id === tool.id && (versions === null || one.versions === null)),
  );

interface ToolDecision {
  tool: Tool;
  decision: ApprovalDecision;
  /** Version patterns; null means all. */
  versions: string[] | null;
  /** The policy to change; undefined creates one. */
  into: Policy | undefined;
}

/**
 * Decides about a tool by new policy versions. Earlier policies stay in effect until the last one is saved. Returns
 * whether a change awaits an approval.
 */
export async function decideAboutTool({
  tool,
  decision,
  versions,
  into,
}: ToolDecision): Promise<{ isPending: boolean }> {
  const outcomes: PolicyOutcome[] = [];
  const { rows: policies } = await call(listPolicies, toolPoliciesQuery);
  const toolScope = { id: tool.id, versions };
  const current = policies.find(({ id }) => id === into?.id);
  if (current) {
    outcomes.push(await change(current, [...current.scope.tools.filter(({ id }) => id !== tool.id), toolScope]));
  } else {
    const scope = { repositories: null, branches: [], tools: [toolScope] };
    const body = { name: newNames[decision], kind: policyKindOfDecision[decision], scope, settings: {} };
    outcomes.push(await call(createPolicy, { body }));
  }
  for (const policy of contradictingPolicies(policies, tool, decision, versions)) {
    const tools = policy.scope.tools.filter(({ id }) => id !== tool.id);
    outcomes.push(
      await (tools.length > 0 ? change(policy, tools) : call(deletePolicy, { params: { policyId: policy.id } })),
    );
  }
  return { isPending: outcomes.some(({ pendingChange }) => pendingChange !== null) };
}

const change = ({ id, name, kind, scope, settings, mode, version }: Policy, tools: Policy['scope']['tools']) =>
  call(updatePolicy, {
    params: { policyId: id },
    body: { name, kind, scope: { ...scope, tools }, settings, mode, version },
  });
