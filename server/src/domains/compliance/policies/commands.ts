import {
  DRY_RUN_VALIDITY_HOURS,
  type Policy,
  type PolicyDetail,
  type PolicyOutcome,
} from '@sightline/contract/compliance/policies.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Conflict } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { applyTransition, checkPolicyCount } from './apply-transition.ts';
import { normalizeRules, type PolicyDraft, simulationHash } from './policy-rules.ts';
import { hasPublished } from './publish-results.ts';
import type { PullRequestKey } from './publish-status.ts';
import { activePolicies, findPolicy } from './queries.ts';
import { requestPolicyChange } from './request-change.ts';
import { type PolicyTransition, weakeningsOfTransition } from './transition.ts';

/**
 * Creates a policy. Throws `conflict` if it is enforced without a simulation of the same rules, or if the limit is
 * reached.
 */
export const createPolicy = (services: Services, actor: Actor, given: PolicyDraft): Promise<PolicyOutcome> =>
  change(services, actor, async (tx) => {
    await checkPolicyCount(tx, actor.orgId);
    const draft = { ...given, ...(await normalizeRules(tx, actor.orgId, given)) };
    if (draft.mode === 'enforce') await checkTried(tx, actor.orgId, simulationHash(draft, undefined));
    return { action: 'policy.created', id: newId(), base: 0, was: undefined, draft };
  });

/**
 * Creates the next version of a policy; an equal version changes nothing. Throws `conflict` for an outdated version,
 * for enforcement without a simulation of the same rules, and for an archived policy.
 */
export const updatePolicy = (
  services: Services,
  actor: Actor,
  id: string,
  { version, ...given }: PolicyDraft & { version: number },
): Promise<PolicyOutcome> =>
  change(services, actor, async (tx) => {
    const was = await findActive(tx, actor, id);
    if (was.version !== version) throw Conflict('This policy was changed in the meantime. Load it again.');
    if (given.kind !== was.kind) throw Conflict('The kind of a policy cannot be changed. Create another policy.');
    const draft = { ...given, ...(await normalizeRules(tx, actor.orgId, given)) };
    const hasSameRules = simulationHash(draft, undefined).equals(simulationHash(was, undefined));
    if (hasSameRules && draft.name === was.name && draft.mode === was.mode) return { unchanged: was };
    if (draft.mode === 'enforce' && !(hasSameRules && was.mode === 'enforce')) {
      await checkTried(tx, actor.orgId, simulationHash(draft, was));
    }
    return { action: 'policy.changed', id, base: version, was, draft };
  });

/** Archives a policy: it evaluates nothing from now on, and earlier evaluations remain. */
export const archivePolicy = (services: Services, actor: Actor, id: string): Promise<PolicyOutcome> =>
  change(services, actor, async (tx) => {
    const was = await findActive(tx, actor, id);
    return { action: 'policy.deleted', id, base: was.version, was, draft: undefined };
  });

/**
 * Restores an archived policy. An enforced policy returns in observe mode, unless a recent simulation of its rules
 * exists.
 */
export const restorePolicy = (services: Services, actor: Actor, id: string): Promise<PolicyOutcome> =>
  change(services, actor, async (tx) => {
    const last = await findPolicy(tx, actor, id);
    if (last.until === null) throw Conflict('This policy is already active.');
    await checkPolicyCount(tx, actor.orgId);
    const rules = await normalizeRules(tx, actor.orgId, last);
    // Simulated as a new policy, or as a change of any version.
    const hashes = [undefined, ...last.versions].map((of) => simulationHash(rules, of));
    const mode = last.mode === 'enforce' && !(await isTried(tx, actor.orgId, hashes)) ? 'observe' : last.mode;
    const draft = { name: last.name, mode, ...rules };
    return { action: 'policy.restored', id, base: last.version, was: undefined, draft };
  });

/**
 * Queues the policy results of an open pull request, in the transaction that receives it, if any policy publishes or
 * published results.
 */
export async function queuePolicyResults(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  orgId: string,
  { repositoryId, number }: { repositoryId: string; number: number },
): Promise<void> {
  if (!(await hasPublished(tx, orgId))) return;
  await jobs.enqueue(tx, 'policies.enforce', { orgId, repositoryId, number }, { key: `${repositoryId} ${number}` });
}

/**
 * Queues the result of a GitLab status check for a merge request, even without an enforced policy, and after each later
 * evaluation.
 */
export async function queueStatusCheckResult(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  { orgId, repositoryId, number }: PullRequestKey,
  checkId: string,
): Promise<void> {
  const of = { org_id: orgId, repository_id: repositoryId, number, check_id: checkId };
  await tx.db
    .insertInto('status_check_request')
    .values(of)
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'repository_id', 'number', 'check_id']).doUpdateSet({ requested_at: new Date() }),
    )
    .execute();
  await jobs.enqueue(tx, 'policies.enforce', { orgId, repositoryId, number }, { key: `${repositoryId} ${number}` });
}

/**
 * Runs changes by Account Owners one at a time. A change that weakens controls awaits an approval, any other is applied.
 */
const change = (
  services: Services,
  actor: Actor,
  plan: (tx: Tx) => Promise<PolicyTransition | { unchanged: PolicyDetail }>,
): Promise<PolicyOutcome> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    const planned = await plan(tx);
    if ('unchanged' in planned) return { policy: policyOf(planned.unchanged), pendingChange: null };
    const { id, base } = planned;
    const weakened = weakeningsOfTransition(await activePolicies(tx, actor.orgId), planned);
    const pendingChange =
      weakened.length > 0 ? await requestPolicyChange(services, tx, actor, { ...planned, weakened }) : null;
    if (pendingChange === null) await applyTransition(services, tx, actor, { ...planned, weakened });
    const policy = base === 0 && pendingChange ? null : policyOf(await findPolicy(tx, actor, id));
    return { policy, pendingChange };
  });

const policyOf = ({ versions: _, ...policy }: PolicyDetail): Policy => policy;

async function findActive(tx: Tx, actor: Actor, id: string): Promise<PolicyDetail> {
  const policy = await findPolicy(tx, actor, id);
  if (policy.until !== null) throw Conflict('This policy was archived in the meantime.');
  return policy;
}

/** Throws `conflict` unless exactly these rules were simulated. */
async function checkTried(tx: Tx, orgId: string, settingsHash: Buffer): Promise<void> {
  if (await isTried(tx, orgId, [settingsHash])) return;
  throw Conflict('Simulate exactly these rules before you enforce the policy.');
}

async function isTried({ db }: Tx, orgId: string, settingsHashes: readonly Buffer[]): Promise<boolean> {
  const found = await db
    .selectFrom('policy_dry_run')
    .select('id')
    .where('org_id', '=', orgId)
    .where('settings_hash', 'in', settingsHashes)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${DRY_RUN_VALIDITY_HOURS})`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
