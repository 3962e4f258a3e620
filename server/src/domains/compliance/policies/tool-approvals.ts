import {
  type DecidedPolicy,
  type decideAboutTools as decideAboutToolsCall,
  MAX_POLICY_TOOLS,
  type Policy,
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
  changePolicies,
  type EndPolicy,
  findActivePolicy,
  type WritePolicy,
  writeFirstVersion,
  writeNextVersion,
  writeRestoredVersion,
} from './commands.ts';
import { activePolicies, findPolicy } from './queries.ts';

type DecisionRequest = z.output<typeof decideAboutToolsCall.body>;

const newPolicyNames: Record<ToolDecision, string> = { approved: 'Approved tools', denied: 'Denied tools' };

/**
 * Decides about tools in one policy, and removes them from policies of the other kind. Throws `conflict` if the filter
 * matches another number of tools than the user saw, if the policy cannot contain them, or if a policy is enforced, whose
 * change requires a simulation.
 */
export const decideAboutTools = (
  services: Services,
  actor: Actor,
  request: DecisionRequest,
): Promise<ToolDecisionOutcome> =>
  changePolicies(services, actor, async (tx, write, end) => {
    const ids = await toolIdsOf(tx, actor, request.tools);
    const decided = ids.map((id): PolicyTool => ({ id, versions: request.versions }));
    const into = await writeDecision(tx, actor, write, { ...request, decided });
    const contradicting = await endContradictions(tx, actor, { write, end }, { ...request, decided });
    return {
      decided: into.added,
      unchanged: ids.length - into.added,
      overruled: contradicting.overruled,
      policy: into.policy.name,
      changes: [...into.changes, ...contradicting.changes],
    };
  });

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

async function writeDecision(
  tx: Tx,
  actor: Actor,
  write: WritePolicy,
  { decision, decided, policyId }: DecisionDetails,
): Promise<{ policy: Policy; added: number; changes: DecidedPolicy[] }> {
  const kind = policyKindOfDecision[decision];
  const id = policyId === undefined ? await defaultPolicyId(tx, actor.orgId, kind) : policyId;
  if (id === null) {
    const scope: PolicyScope = { repositories: null, branches: [], tools: [...decided] };
    const draft = { name: newPolicyNames[decision], kind, scope, settings: {}, mode: 'observe' as const };
    const policy = await writeFirstVersion(tx, actor, write, draft);
    return { policy, added: decided.length, changes: [{ id: policy.id, version: 1, previousVersion: null }] };
  }
  const was = await findActivePolicy(tx, actor, id);
  if (was.kind !== kind)
    throw Conflict(`The policy “${was.name}” does not contain such decisions. Choose another one.`);
  const { tools, added } = withTools(was.scope.tools, decided);
  if (tools.length > MAX_POLICY_TOOLS)
    throw Conflict(`The policy “${was.name}” can name ${MAX_POLICY_TOOLS} tools. Choose or create another one.`);
  const policy = await writeNextVersion(tx, actor, write, { was, given: { ...was, scope: { ...was.scope, tools } } });
  const isChanged = policy.version > was.version;
  return {
    policy,
    added,
    changes: isChanged ? [{ id, version: policy.version, previousVersion: was.version }] : [],
  };
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
  { write, end }: { write: WritePolicy; end: EndPolicy },
  { decision, decided, versions }: DecisionDetails,
): Promise<{ overruled: number; changes: DecidedPolicy[] }> {
  const kind = policyKindOfDecision[decision === 'approved' ? 'denied' : 'approved'];
  const ids = new Set(decided.map(({ id }) => id));
  const contradicts = (tool: PolicyTool) => ids.has(tool.id) && (versions === null || tool.versions === null);
  const overruled = new Set<string>();
  const changes: DecidedPolicy[] = [];
  for (const policy of await activePolicies(tx, actor.orgId)) {
    const contradicting = policy.kind === kind ? policy.scope.tools.filter(contradicts) : [];
    if (contradicting.length === 0) continue;
    for (const { id } of contradicting) overruled.add(id);
    const was = await findActivePolicy(tx, actor, policy.id);
    const tools = was.scope.tools.filter((tool) => !contradicts(tool));
    const previousVersion = was.version;
    if (tools.length === 0) {
      await end(was);
      changes.push({ id: was.id, version: previousVersion, previousVersion });
    } else {
      const given = { ...was, scope: { ...was.scope, tools } };
      const { version } = await writeNextVersion(tx, actor, write, { was, given });
      changes.push({ id: was.id, version, previousVersion });
    }
  }
  return { overruled: overruled.size, changes };
}

/**
 * Gives policies the content that they had before a decision, in new versions. Throws `conflict` if one of them has
 * changed since.
 */
export const revertToolDecisions = (
  services: Services,
  actor: Actor,
  changes: readonly DecidedPolicy[],
): Promise<null> =>
  changePolicies(services, actor, async (tx, write, end) => {
    for (const { id, version, previousVersion } of changes) {
      const was = await findPolicy(tx, actor, id);
      const isArchived = version === previousVersion;
      if (was.version !== version || (was.until !== null) !== isArchived)
        throw Conflict(`The policy “${was.name}” was changed in the meantime, so that the decision cannot be undone.`);
      if (isArchived) await writeRestoredVersion(tx, actor, write, was);
      else if (previousVersion === null) await end(was);
      else {
        const given = was.versions.find((one) => one.version === previousVersion);
        if (given) await writeNextVersion(tx, actor, write, { was, given });
      }
    }
    return null;
  });
