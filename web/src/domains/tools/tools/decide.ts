import {
  createPolicy,
  deletePolicy,
  listPolicies,
  type Policy,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import type { Tool, ToolApproval } from '@sightline/contract/tools/tools.ts';
import { call } from '#lib/api.ts';

export type ApprovalDecision = Exclude<ToolApproval, 'unreviewed'>;

export const kindOf: Record<ApprovalDecision, 'tool-allow' | 'tool-deny'> = {
  approved: 'tool-allow',
  denied: 'tool-deny',
};
const newNames: Record<ApprovalDecision, string> = { approved: 'Approved tools', denied: 'Denied tools' };

/** The policies about tools that hold: no organization has more of them than one page takes. */
export const policiesOfTools = { query: { kinds: Object.values(kindOf), perPage: 100 } };

export const names = ({ scope }: Policy, { id }: Pick<Tool, 'id'>): boolean => scope.tools.some((one) => one.id === id);

/**
 * Those of the other kind that would gainsay a decision: all that name the tool, but for a decision about some versions those that
 * name versions too.
 */
export const against = (
  held: readonly Policy[],
  tool: Tool,
  decision: ApprovalDecision,
  versions: string[] | null,
): Policy[] =>
  held.filter(
    ({ kind, scope }) =>
      kind !== kindOf[decision] &&
      scope.tools.some((one) => one.id === tool.id && (versions === null || one.versions === null)),
  );

interface ToolDecision {
  tool: Tool;
  decision: ApprovalDecision;
  /** Patterns; null: all. */
  versions: string[] | null;
  /** The policy that is to say so; undefined: a new one. */
  into: Policy | undefined;
}

/** Decides about a tool by new versions of policies; until the last is saved, what held before goes on to hold. */
export async function decide({ tool, decision, versions, into }: ToolDecision): Promise<void> {
  const { rows: held } = await call(listPolicies, policiesOfTools);
  const said = { id: tool.id, versions };
  const now = held.find(({ id }) => id === into?.id);
  if (now) await change(now, [...now.scope.tools.filter(({ id }) => id !== tool.id), said]);
  else {
    const scope = { repositories: null, branches: [], tools: [said] };
    await call(createPolicy, { body: { name: newNames[decision], kind: kindOf[decision], scope, settings: {} } });
  }
  for (const policy of against(held, tool, decision, versions)) {
    const tools = policy.scope.tools.filter(({ id }) => id !== tool.id);
    if (tools.length > 0) await change(policy, tools);
    else await call(deletePolicy, { params: { policyId: policy.id } });
  }
}

const change = ({ id, name, kind, scope, settings, mode, version }: Policy, tools: Policy['scope']['tools']) =>
  call(updatePolicy, {
    params: { policyId: id },
    body: { name, kind, scope: { ...scope, tools }, settings, mode, version },
  });
