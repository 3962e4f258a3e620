import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import type { TriageOutcome } from '@sightline/contract/vulnerabilities/triage.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import { recomputeFindings } from '../findings/status.ts';
import type { DecisionKind, TriageDecision } from './decision.ts';
import { createWaiverEvents } from './events.ts';
import type { TriageTarget } from './targets.ts';

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

/** Sets the decisions of findings; null removes them. The caller must call `recomputeAndNotify` afterwards. */
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
        .where('id', 'in', [...ids])
        .execute();

const actions: Record<DecisionKind, AuditAction> = {
  dismissed: 'finding.dismissed',
  reopened: 'finding.reopened',
  exception_requested: 'finding.exception_requested',
  exception_approved: 'finding.exception_approved',
  exception_refused: 'finding.exception_refused',
  exception_withdrawn: 'finding.exception_withdrawn',
  exception_expired: 'finding.exception_expired',
  merged: 'finding.merged',
  split: 'finding.split',
};

/**
 * Records decisions in the history of their findings, the audit log and, for waivers, the timeline. Comments are
 * personal data. Returns the event IDs by waiver.
 */
export async function recordDecisions(
  services: Services,
  tx: Tx,
  orgId: string,
  { doer, decisions }: { doer: AuditActor & { email?: string }; decisions: readonly TriageDecision[] },
): Promise<EventsOf> {
  if (decisions.length === 0) return new Map();
  const accountId = 'accountId' in doer ? doer.accountId : null;
  const entries: string[] = [];
  for (const { target, kind, comment, until, heldRight, other, before, after } of decisions) {
    const entry = await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      doer,
      entry: {
        action: actions[kind],
        subject: { kind: 'finding', id: target.id },
        data: {
          title: target.title,
          repository: target.repository,
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
      decisions.map(({ target, kind, reason, comment, exceptionId, until, heldRight, other }, index) => ({
        org_id: orgId,
        finding_id: target.id,
        id: newId(),
        kind,
        account_id: accountId,
        reason: reason ?? null,
        comment: comment ?? '',
        waiver_id: exceptionId ?? null,
        until: until ?? null,
        other: other ? JSON.stringify(other) : null,
        entry_id: entries[index] ?? null,
        had_permission: heldRight ?? null,
      })),
    )
    .execute();
  const waiverEvents = createWaiverEvents(doer, doer.email, decisions);
  const { added } = await appendFacts(
    services,
    tx,
    orgId,
    waiverEvents.map(({ event }) => event),
  );
  return new Map(
    waiverEvents.flatMap(({ exceptionId, event }) => (added.has(event.id) ? [[exceptionId, [event.id]]] : [])),
  );
}

/** Timeline events of waiver decisions by waiver ID. */
type EventsOf = ReadonlyMap<string | undefined, readonly string[]>;

/** Returns the fields of a notification about a waiver. */
export const waiverNotificationFields = (
  { id, title, repositoryId, repository }: TriageDecision['target'],
  until: Date,
) => ({
  finding: { id, title },
  repository: { id: repositoryId, name: repository },
  until: until.toISOString(),
});

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
    realtime.tell(orgId, 'orgFindings', targets.length === 1 && first ? { findingId: first.id } : {});
    for (const repositoryId of new Set(targets.map((target) => target.repositoryId))) {
      realtime.tell(orgId, 'orgRepos', { repositoryId });
    }
  });
}
