import {
  type DecidedPolicy,
  type decideAboutTools as decideAboutToolsCall,
  MAX_POLICY_TOOLS,
  type Policy,
  type PolicyOutcome,
  type PolicyScope,
  type PolicyTool,
  policyKindOfDecision,
  type ToolDecision,
  type ToolDecisionOutcome,
} from '@sightline/contract/compliance/policies.ts';
import { normalizeToolsQuery } from '@sightline/contract/tools/tools.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { listMatchingToolIds } from '../../tools/tools/queries.ts';
import {
  type ChangePolicy,
  changePolicies,
  findActivePolicy,
  type PlannedChange,
  planEnd,
  planFirstVersion,
  planNextVersion,
  planRestoredVersion,
} from './commands.ts';
import { withdrawChange } from './decide-change.ts';
import { activePolicies, findPolicy } from './queries.ts';

type DecisionRequest = z.output<typeof decideAboutToolsCall.body>;

const newPolicyNames: Record<ToolDecision, string> = { approved: 'Approved tools', denied: 'Denied tools' };

/**
 * Decides about tools in one policy, and removes them from policies of the other kind, in one transaction. Each change of
 * a policy that weakens a control awaits an approval. Throws `conflict` if the filter matches another number of tools than
 * the user saw, if the policy cannot contain them, if a policy has a pending change, or if a policy is enforced, whose
 * change requires a simulation.
 */
export const decideAboutTools = (
  services: Services,
  actor: Actor,
  request: DecisionRequest,
): Promise<ToolDecisionOutcome> =>
  changePolicies(services, actor, async (tx, change) => {
    const ids = await toolIdsOf(tx, actor, request.tools);
    const decided = ids.map((id): PolicyTool => ({ id, versions: request.versions }));
    const into = await addDecisions(tx, actor, change, { ...request, decided });
    const contradicting = await endContradictions(tx, actor, change, { ...request, decided });
    const isPending = into.outcome.pendingChange !== null;
    const all = [into, ...contradicting.changed];
    return {
      decided: isPending ? 0 : into.added,
      pending: isPending ? into.added : 0,
      unchanged: ids.length - into.added,
      overruled: contradicting.overruled,
      policy: (into.outcome.pendingChange ?? into.outcome.policy)?.name ?? '',
      changes: all.flatMap(appliedChange),
      pendingChangeIds: all.flatMap(({ outcome }) => outcome.pendingChange?.id ?? []),
    };
  });

interface ChangedPolicy {
  outcome: PolicyOutcome;
  /** Null for a new policy. */
  previousVersion: number | null;
}

/** Empty if the policy is unchanged or its change is pending. */
function appliedChange({ outcome: { policy, pendingChange }, previousVersion }: ChangedPolicy): DecidedPolicy[] {
  if (policy === null || pendingChange !== null) return [];
  const { id, version, until } = policy;
  return version === previousVersion && until === null ? [] : [{ id, version, previousVersion }];
}

async function toolIdsOf(tx: Tx, actor: Actor, tools: DecisionRequest['tools']): Promise<string[]> {
  if ('ids' in tools) return [...new Set(tools.ids)];
  const filter = normalizeToolsQuery(tools.filter, new Date());
  const { ids, total } = await listMatchingToolIds(tx, actor, filter, MAX_POLICY_TOOLS);
  if (total === tools.total) return ids;
  throw Conflict(`The list has changed: ${total} tools match the filters now. Check the list and decide again.`);
}

interface DecisionDetails extends Pick<DecisionRequest, 'decision' | 'policyId' | 'versions'> {
  decided: readonly PolicyTool[];
}

async function addDecisions(
  tx: Tx,
  actor: Actor,
  change: ChangePolicy,
  { decision, decided, policyId }: DecisionDetails,
): Promise<ChangedPolicy & { added: number }> {
  const kind = policyKindOfDecision[decision];
  const id = policyId === undefined ? await defaultPolicyId(tx, actor.orgId, kind) : policyId;
  if (id === null) {
    const scope: PolicyScope = { repositories: null, branches: [], tools: [...decided] };
    const draft = { name: newPolicyNames[decision], kind, scope, settings: {}, mode: 'observe' as const };
    const outcome = await change(await planFirstVersion(tx, actor, draft));
    return { outcome, previousVersion: null, added: decided.length };
  }
  const was = await findActivePolicy(tx, actor, id);
  if (was.kind !== kind)
    throw Conflict(`The policy “${was.name}” does not contain such decisions. Choose another one.`);
  const { tools, added } = withTools(was.scope.tools, decided);
  if (tools.length > MAX_POLICY_TOOLS)
    throw Conflict(`The policy “${was.name}” can name ${MAX_POLICY_TOOLS} tools. Choose or create another one.`);
  const planned = await planNextVersion(tx, actor, was, { ...was, scope: { ...was.scope, tools } });
  return { outcome: await change(planned), previousVersion: was.version, added };
}

/** The first policy of a kind that changes without a simulation; null if there is none. */
async function defaultPolicyId(tx: Tx, orgId: string, kind: Policy['kind']): Promise<string | null> {
  const policies = await activePolicies(tx, orgId);
  return policies.find((policy) => policy.kind === kind && policy.mode !== 'enforce')?.id ?? null;
}

function withTools(tools: readonly PolicyTool[], decided: readonly PolicyTool[]) {
  const before = new Map(tools.map((tool) => [tool.id, JSON.stringify(tool.versions)]));
  const added = decided.filter(({ id, versions }) => before.get(id) !== JSON.stringify(versions)).length;
  const next = new Map([...tools, ...decided].map((tool) => [tool.id, tool]));
  return { tools: [...next.values()], added };
}

/**
 * Removes tools from policies of the other kind. A decision about all versions contradicts every decision about the tool,
 * a decision about some versions only those about all versions.
 */
async function endContradictions(
  tx: Tx,
  actor: Actor,
  change: ChangePolicy,
  { decision, decided, versions }: DecisionDetails,
): Promise<{ overruled: number; changed: ChangedPolicy[] }> {
  const kind = policyKindOfDecision[decision === 'approved' ? 'denied' : 'approved'];
  const ids = new Set(decided.map(({ id }) => id));
  const contradicts = (tool: PolicyTool) => ids.has(tool.id) && (versions === null || tool.versions === null);
  const overruled = new Set<string>();
  const changed: ChangedPolicy[] = [];
  for (const policy of await activePolicies(tx, actor.orgId)) {
    const contradicting = policy.kind === kind ? policy.scope.tools.filter(contradicts) : [];
    if (contradicting.length === 0) continue;
    for (const { id } of contradicting) overruled.add(id);
    const was = await findActivePolicy(tx, actor, policy.id);
    const tools = was.scope.tools.filter((tool) => !contradicts(tool));
    const planned =
      tools.length === 0
        ? planEnd(was)
        : await planNextVersion(tx, actor, was, { ...was, scope: { ...was.scope, tools } });
    changed.push({ outcome: await change(planned), previousVersion: was.version });
  }
  return { overruled: overruled.size, changed };
}

/**
 * Withdraws the pending changes of a decision, and gives policies the content that they had before it, in new versions
 * that await an approval if they weaken a control. Throws `conflict` if one of them has changed since, or if a pending
 * change was decided.
 */
export const revertToolDecisions = (
  services: Services,
  actor: Actor,
  { changes, pendingChangeIds }: Pick<ToolDecisionOutcome, 'changes' | 'pendingChangeIds'>,
): Promise<{ pending: number }> =>
  changePolicies(services, actor, async (tx, change) => {
    for (const id of pendingChangeIds) await withdrawChange(services, tx, actor, id);
    let pending = 0;
    for (const decided of changes) {
      const planned = await planReversal(tx, actor, decided);
      if ((await change(planned)).pendingChange !== null) pending += 1;
    }
    return { pending };
  });

async function planReversal(
  tx: Tx,
  actor: Actor,
  { id, version, previousVersion }: DecidedPolicy,
): Promise<PlannedChange> {
  const was = await findPolicy(tx, actor, id);
  const isArchived = version === previousVersion;
  if (was.version !== version || (was.until !== null) !== isArchived)
    throw Conflict(`The policy “${was.name}” was changed in the meantime, so that the decision cannot be undone.`);
  if (isArchived) return planRestoredVersion(tx, actor, was);
  if (previousVersion === null) return planEnd(was);
  const given = was.versions.find((one) => one.version === previousVersion);
  return given ? planNextVersion(tx, actor, was, given) : { unchanged: was };
}
