import {
  DRY_RUN_VALIDITY_HOURS,
  MAX_POLICIES,
  type Policy,
  type PolicyDetail,
} from '@sightline/contract/compliance/policies.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import { type PolicyChange, policyEvent } from './events.ts';
import { normalizeRules, type PolicyDraft, plainRules, simulationHash } from './policy-rules.ts';
import { hasPublished } from './publish-results.ts';
import type { PullRequestKey } from './publish-status.ts';
import { activePolicies, findPolicy } from './queries.ts';
import { syncControlSettings } from './sync-control-settings.ts';
import { weakeningsOf } from './weakening.ts';

/**
 * Creates a policy. Throws `conflict` if it is enforced without a simulation of the same rules, or if the limit is
 * reached.
 */
export const createPolicy = (services: Services, actor: Actor, given: PolicyDraft): Promise<Policy> =>
  changePolicies(services, actor, (tx, write) => writeFirstVersion(tx, actor, write, given));

/** Writes a new policy. */
export async function writeFirstVersion(
  tx: Tx,
  { orgId }: Actor,
  write: WritePolicy,
  given: PolicyDraft,
): Promise<Policy> {
  await checkCount(tx, orgId);
  const draft = { ...given, ...(await normalizeRules(tx, orgId, given)) };
  if (draft.mode === 'enforce') await checkTried(tx, orgId, simulationHash(draft, undefined));
  return write('policy.created', { id: newId(), version: 1, draft });
}

/**
 * Creates the next version of a policy; an equal version changes nothing. Throws `conflict` for an outdated version,
 * for enforcement without a simulation of the same rules, and for an archived policy.
 */
export const updatePolicy = (
  services: Services,
  actor: Actor,
  id: string,
  { version, ...given }: PolicyDraft & { version: number },
): Promise<Policy> =>
  changePolicies(services, actor, async (tx, write) => {
    const was = await findActivePolicy(tx, actor, id);
    if (was.version !== version) throw Conflict('This policy was changed in the meantime. Load it again.');
    if (given.kind !== was.kind) throw Conflict('The kind of a policy cannot be changed. Create another policy.');
    return writeNextVersion(tx, actor, write, { was, given });
  });

/** Writes the next version of an active policy; an equal version changes nothing. */
export async function writeNextVersion(
  tx: Tx,
  { orgId }: Actor,
  write: WritePolicy,
  { was, given }: { was: PolicyDetail; given: PolicyDraft },
): Promise<Policy> {
  const draft = { ...given, ...(await normalizeRules(tx, orgId, given)) };
  const hasSameRules = simulationHash(draft, undefined).equals(simulationHash(was, undefined));
  if (hasSameRules && draft.name === was.name && draft.mode === was.mode) return was;
  if (draft.mode === 'enforce' && !(hasSameRules && was.mode === 'enforce')) {
    await checkTried(tx, orgId, simulationHash(draft, was));
  }
  return write('policy.changed', { id: was.id, version: was.version + 1, draft, was });
}

/** Archives a policy: it evaluates nothing from now on, and earlier evaluations remain. */
export const archivePolicy = (services: Services, actor: Actor, id: string): Promise<null> =>
  changePolicies(services, actor, async (tx, _write, end) => {
    const was = await findActivePolicy(tx, actor, id);
    await end(was);
    return null;
  });

/**
 * Restores an archived policy. An enforced policy returns in observe mode, unless a recent simulation of its rules
 * exists.
 */
export const restorePolicy = (services: Services, actor: Actor, id: string): Promise<Policy> =>
  changePolicies(services, actor, async (tx, write) => {
    const was = await findPolicy(tx, actor, id);
    if (was.until === null) throw Conflict('This policy is already active.');
    return writeRestoredVersion(tx, actor, write, was);
  });

/** Writes the last version of an archived policy again. */
export async function writeRestoredVersion(
  tx: Tx,
  { orgId }: Actor,
  write: WritePolicy,
  was: PolicyDetail,
): Promise<Policy> {
  await checkCount(tx, orgId);
  const rules = await normalizeRules(tx, orgId, was);
  // Simulated as a new policy, or as a change of any version.
  const hashes = [undefined, ...was.versions].map((of) => simulationHash(rules, of));
  const mode = was.mode === 'enforce' && !(await isTried(tx, orgId, hashes)) ? 'observe' : was.mode;
  return write('policy.restored', { id: was.id, version: was.version + 1, draft: { ...was, ...rules, mode } });
}

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

interface Next {
  id: string;
  version: number;
  draft: PolicyDraft;
  was?: PolicyDetail;
}
export type WritePolicy = (action: Exclude<PolicyChange['action'], 'policy.deleted'>, next: Next) => Promise<Policy>;
export type EndPolicy = (was: PolicyDetail) => Promise<void>;

/**
 * Runs changes by Account Owners one at a time: stores the versions, updates control settings, and records the change
 * in the audit log.
 */
export const changePolicies = <Result>(
  services: Services,
  actor: Actor,
  work: (tx: Tx, write: WritePolicy, end: EndPolicy) => Promise<Result>,
): Promise<Result> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    await requireOwner(tx, actor);
    const at = new Date();
    const recordChange = async (done: PolicyChange, data: { readonly [key: string]: CanonicalValue }) => {
      const { action, id, name } = done;
      tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgPolicies', { policyId: id }));
      await appendFacts(services, tx, orgId, [policyEvent(actor, done)]);
      const subject = { kind: 'policy', id } as const;
      return recordAuditEntry(tx, {
        people: services.people,
        orgId,
        actor,
        entry: { action, subject, data: { name, ...data } },
      });
    };
    const enforceAll = () => services.jobs.enqueue(tx, 'policies.enforce-all', { orgId }, { key: orgId });
    const active = await activePolicies(tx, orgId);
    const weakenedBy = (id: string, after: Parameters<typeof weakeningsOf>[0]['after']) => {
      const weakened = weakeningsOf({
        others: active.filter((one) => one.id !== id),
        before: active.find((one) => one.id === id),
        after,
      });
      return weakened.length === 0 ? {} : { weakened: weakened.map((one) => ({ ...one })) };
    };
    const write: WritePolicy = async (action, { id, version, draft, was }) => {
      const after = auditDataOf(draft);
      const done = { action, id, name: draft.name, mode: draft.mode };
      const entryId = await recordChange(done, {
        version,
        ...(was && { before: auditDataOf(was) }),
        after,
        ...weakenedBy(id, { ...draft, id, version }),
      });
      if (was) await endVersion(tx, orgId, { ...was, at, entryId });
      await tx.db
        .insertInto('policy')
        .values({
          org_id: orgId,
          id,
          version,
          name: draft.name,
          kind: draft.kind,
          mode: draft.mode,
          scope: JSON.stringify(draft.scope),
          settings: JSON.stringify(draft.settings),
          valid_from: at,
          author: actor.accountId,
          entry_id: entryId,
        })
        .execute();
      await syncControlSettings(tx, orgId, at, entryId);
      if (draft.mode !== 'observe' || (was && was.mode !== 'observe')) await enforceAll();
      return policyOf(await findPolicy(tx, actor, id));
    };
    const end: EndPolicy = async (was) => {
      const done = { action: 'policy.deleted', id: was.id, name: was.name } as const;
      const entryId = await recordChange(done, {
        version: was.version,
        before: auditDataOf(was),
        ...weakenedBy(was.id, undefined),
      });
      await endVersion(tx, orgId, { ...was, at, entryId });
      await syncControlSettings(tx, orgId, at, entryId);
      if (was.mode !== 'observe') await enforceAll();
    };
    return work(tx, write, end);
  });

const policyOf = ({ versions: _, ...policy }: PolicyDetail): Policy => policy;

const endVersion = (
  { db }: Tx,
  orgId: string,
  { id, version, at, entryId }: { id: string; version: number; at: Date; entryId: string },
) =>
  db
    .updateTable('policy')
    .set({ valid_until: at, ended_entry_id: entryId })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('version', '=', version)
    .execute();

const auditDataOf = (draft: PolicyDraft) => ({ name: draft.name, mode: draft.mode, ...plainRules(draft) });

export async function findActivePolicy(tx: Tx, actor: Actor, id: string): Promise<PolicyDetail> {
  const policy = await findPolicy(tx, actor, id);
  if (policy.until !== null) throw Conflict('This policy was archived in the meantime.');
  return policy;
}

async function checkCount({ db }: Tx, orgId: string): Promise<void> {
  const { count } = await db
    .selectFrom('policy')
    .where('org_id', '=', orgId)
    .where('valid_until', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_POLICIES)
    throw Conflict(`The limit of ${MAX_POLICIES} policies is reached. Archive one first.`);
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
