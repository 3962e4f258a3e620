import {
  createPolicy,
  listPolicyKinds,
  type Policy,
  type PolicyKind,
  type PolicyMode,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import { decidePolicyChange } from '@sightline/contract/compliance/policy-changes.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { DemoRun } from './demo-run.ts';

/** A policy with the default parameters, apart from `stricter` ones by name. */
interface DemoPolicy {
  kind: PolicyKind;
  name: string;
  mode: PolicyMode;
  stricter?: Readonly<Record<string, string[]>>;
  /** IDs of tools. */
  tools?: readonly string[];
}

const policies: readonly DemoPolicy[] = [
  { kind: 'merge', name: 'Independent review of every change', mode: 'warn' },
  { kind: 'sla', name: 'Remediation times of findings', mode: 'warn' },
  { kind: 'scan-freshness', name: 'Scans around every merge', mode: 'observe' },
  {
    kind: 'ai-provenance',
    name: 'Review and limits of agent changes',
    mode: 'warn',
    stricter: { protectedPaths: ['.github/workflows/**'] },
  },
  { kind: 'tool-deny', name: 'Denied MCP servers', mode: 'observe', tools: ['mcp:npm:@harborline/files-mcp'] },
  { kind: 'access-review', name: 'Quarterly access review', mode: 'observe' },
  { kind: 'digest', name: 'Weekly commit digests', mode: 'observe' },
];

/** Creates policies that are not less strict than the defaults, so that they apply at once. */
export async function createPolicies({ owner }: DemoRun): Promise<Policy[]> {
  const kinds = await owner.call(listPolicyKinds, {});
  const created: Policy[] = [];
  for (const { kind, name, mode, stricter = {}, tools = [] } of policies) {
    const controls = kinds.find((one) => one.kind === kind)?.controls ?? [];
    const settings = Object.fromEntries(
      controls.map(({ id, parameters }) => [
        id,
        Object.fromEntries(parameters.map((one) => [one.name, stricter[one.name] ?? one.default])),
      ]),
    );
    const scope = { repositories: null, branches: [], tools: tools.map((id) => ({ id, versions: null })) };
    const { policy } = await owner.call(createPolicy, { body: { kind, name, mode, scope, settings } });
    if (!policy) throw new Error(`The policy "${name}" awaits an approval.`);
    created.push(policy);
  }
  return created;
}

/** Requests two weaker limits. The reviewer approves the first; the second awaits a decision. */
export async function weakenPolicies(run: DemoRun, created: readonly Policy[]): Promise<void> {
  const of = (kind: PolicyKind) => created.find((one) => one.kind === kind);
  const approved = await requestLimit(run, of('sla'), { control: 'VUL-01', parameter: 'medium', days: 120 });
  await requestLimit(run, of('scan-freshness'), { control: 'SCN-02', parameter: 'freshness', days: 14 });
  const reviewer = await run.signInReviewer();
  await reviewer.call(decidePolicyChange, {
    params: { changeId: approved },
    body: { approve: true, reason: 'The libraries of the mobile app are updated with its release every four months.' },
  });
}

/** Requests a longer limit of a policy. Returns the ID of the pending change. */
async function requestLimit(
  { owner }: DemoRun,
  policy: Policy | undefined,
  { control, parameter, days }: { control: ControlId; parameter: string; days: number },
): Promise<string> {
  if (!policy) throw new Error(`There is no policy for ${control}.`);
  const { id, version, name, kind, scope, mode, settings: current } = policy;
  const settings = { ...current, [control]: { ...current[control], [parameter]: days } };
  const { pendingChange } = await owner.call(updatePolicy, {
    params: { policyId: id },
    body: { name, kind, scope, mode, version, settings },
  });
  if (!pendingChange) throw new Error(`The change of "${name}" weakens nothing.`);
  return pendingChange.id;
}
