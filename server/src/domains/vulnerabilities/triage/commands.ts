import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import type { TriageOutcome } from '@sightline/contract/vulnerabilities/triage.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Forbidden, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { requireCurrentPermission } from '../../organization/members/queries.ts';
import { recomputeFindings } from '../findings/status.ts';
import type { TriageTarget } from './queries.ts';

/** A decision about a finding, for its history and the audit log. */
export interface TriageDecision {
  target: Pick<TriageTarget, 'id' | 'repositoryId' | 'repository' | 'title'>;
  kind: DecisionKind;
  reason?: string;
  comment?: string;
  waiverId?: string;
  until?: Date;
  /** Whether the account that decided about a waiver has the permission to do so. */
  heldRight?: boolean;
  /** The other finding of a merge or a split. */
  other?: { id: string; title: string };
  before?: { readonly [key: string]: CanonicalValue };
  after?: { readonly [key: string]: CanonicalValue };
}

type DecisionKind =
  | 'dismissed'
  | 'reopened'
  | 'waiver_requested'
  | 'waiver_approved'
  | 'waiver_refused'
  | 'waiver_withdrawn'
  | 'waiver_expired'
  | 'merged'
  | 'split';

/** Requested findings that are changed, and those that are skipped with a reason. */
export interface TargetSelection {
  changing: TriageTarget[];
  skipped: TriageOutcome['skipped'];
}

/**
 * Splits requested findings by `why`, which returns the reason to skip a finding, or undefined to change it. Throws 404
 * if none exists.
 */
export function selectTargets(
  ids: readonly string[],
  targets: ReadonlyMap<string, TriageTarget>,
  why: (target: TriageTarget) => string | undefined,
): TargetSelection {
  if (targets.size === 0) throw NotFound('Vulnerability');
  const outcome: TargetSelection = { changing: [], skipped: [] };
  for (const id of new Set(ids)) {
    const target = targets.get(id);
    const reason = target ? why(target) : 'Vulnerability not found.';
    if (target && reason === undefined) outcome.changing.push(target);
    else if (reason !== undefined) outcome.skipped.push({ id, reason });
  }
  return outcome;
}

/** Sets the decisions of findings; null removes them. The caller runs `recomputeAndNotify`. */
export const setFindingDecisions = (
  { db }: Tx,
  orgId: string,
  ids: readonly string[],
  decided: 'open' | 'dismissed' | 'exception' | null,
): Promise<unknown> =>
  ids.length === 0
    ? Promise.resolve()
    : db
        .updateTable('finding')
        .set({ decided })
        .where('org_id', '=', orgId)
        .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
        .execute();

const actions: Record<DecisionKind, AuditAction> = {
  dismissed: 'finding.dismissed',
  reopened: 'finding.reopened',
  waiver_requested: 'finding.waiver_requested',
  waiver_approved: 'finding.waiver_approved',
  waiver_refused: 'finding.waiver_refused',
  waiver_withdrawn: 'finding.waiver_withdrawn',
  waiver_expired: 'finding.waiver_expired',
  merged: 'finding.merged',
  split: 'finding.split',
};

/** Records decisions in the history of their findings and in the audit log. Comments are personal data. */
export async function recordDecisions(
  services: Services,
  tx: Tx,
  orgId: string,
  { actor, decisions }: { actor: AuditActor & { email?: string }; decisions: readonly TriageDecision[] },
): Promise<void> {
  if (decisions.length === 0) return;
  const accountId = 'accountId' in actor ? actor.accountId : null;
  const entries: string[] = [];
  for (const { target, kind, comment, until, heldRight, other, before, after } of decisions) {
    const entry = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: actions[kind],
        subject: { kind: 'finding', id: target.id },
        data: {
          title: target.title,
          repository: target.repositoryId,
          ...(until && { until: until.toISOString().slice(0, 10) }),
          ...(heldRight && { right: 'approve:exceptions' }),
          ...(other && (kind === 'merged' ? { merged: other.title, mergedId: other.id } : { otherId: other.id })),
          ...(before && { before }),
          ...(after && { after }),
        },
        ...(comment && { personal: { comment } }),
      },
    });
    entries.push(entry);
  }
  await tx.db
    .insertInto('finding_decision')
    .values(
      decisions.map(({ target, kind, reason, comment, waiverId, until, heldRight, other }, index) => ({
        org_id: orgId,
        finding_id: target.id,
        id: newId(),
        kind,
        account_id: accountId,
        reason: reason ?? null,
        comment: comment ?? '',
        waiver_id: waiverId ?? null,
        until: until ?? null,
        other: other ? JSON.stringify(other) : null,
        entry_id: entries[index] ?? null,
        had_permission: heldRight ?? null,
      })),
    )
    .execute();
}

/**
 * Recomputes findings and sends change notices after the commit. Call it last: it locks the counts of the organization.
 */
export async function recomputeAndNotify(
  { realtime }: Services,
  tx: Tx,
  orgId: string,
  targets: readonly Pick<TriageTarget, 'id' | 'repositoryId'>[],
): Promise<void> {
  if (targets.length === 0) return;
  await recomputeFindings(
    tx,
    orgId,
    targets.map(({ id }) => id),
  );
  const [first] = targets;
  tx.afterCommit(() => {
    realtime.notifyOrganization(orgId, 'orgFindings', targets.length === 1 && first ? { findingId: first.id } : {});
    for (const repositoryId of new Set(targets.map((target) => target.repositoryId))) {
      realtime.notifyOrganization(orgId, 'orgRepos', { repositoryId });
    }
  });
}

/**
 * Re-reads the actor, also for merging and splitting findings. Throws 403 for members who may only request waivers, such as
 * contributors.
 */
export async function requireTriager(tx: Tx, requester: Actor): Promise<Actor> {
  const actor = await requireCurrentPermission(tx, requester, 'write:findings');
  if (actor.reach('write:findings') !== 'all') {
    throw Forbidden('Your role can only request waivers. To triage vulnerabilities, ask an Account Owner.');
  }
  return actor;
}
