import {
  type DismissReason,
  type dismissFindings,
  type reopenFindings,
  secretReasons,
  type TriageOutcome,
} from '@sightline/contract/vulnerabilities/triage.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { formatDay } from '#core/day.ts';
import type { Services } from '#core/services.ts';
import { withdrawWaiversOf } from '../waivers/commands.ts';
import {
  recomputeAndNotify,
  recordDecisions,
  requireTriager,
  selectTargets,
  setFindingDecisions,
  type TriageDecision,
} from './commands.ts';
import { lockTargets, type TriageTarget } from './queries.ts';

/** Dismisses findings permanently and withdraws their waiver requests. */
export function dismissFindingsById(
  services: Services,
  requester: Actor,
  { ids, reason, comment }: z.output<typeof dismissFindings.body>,
): Promise<TriageOutcome> {
  return services.database.withOrg(requester.orgId, async (tx) => {
    const actor = await requireTriager(tx, requester);
    const { changing, skipped } = selectTargets(ids, await lockTargets(tx, actor, ids), (target) =>
      dismissalObstacle(target, reason),
    );
    await setFindingDecisions(tx, actor.orgId, idsOf(changing), 'dismissed');
    await withdrawWaiversOf(services, tx, actor, changing);
    const decisions = changing.map((target): TriageDecision => {
      const [before, after] = [{ status: target.status }, { status: 'dismissed', reason }];
      return { target, kind: 'dismissed', reason, comment, before, after };
    });
    await recordDecisions(services, tx, actor.orgId, { actor, decisions });
    await recomputeAndNotify(services, tx, actor.orgId, changing);
    return { changed: idsOf(changing), skipped };
  });
}

const dismissalObstacle = (
  { status, decided, waiver, category }: TriageTarget,
  reason: DismissReason,
): string | undefined => {
  if (category !== 'secret' && secretReasons.includes(reason))
    return 'It is not a secret, so it cannot be rotated or revoked.';
  if (decided === 'dismissed') return 'It is already dismissed.';
  if (decided === 'exception') return `It is waived${untilOf(waiver)}. Reopen it first.`;
  return status === 'fixed' ? 'It is fixed: no scanner reports it.' : undefined;
};

/** Withdraws dismissals and waivers. A finding that only a scanner suppresses becomes open. */
export function reopenFindingsById(
  services: Services,
  requester: Actor,
  { ids, comment }: z.output<typeof reopenFindings.body>,
): Promise<TriageOutcome> {
  return services.database.withOrg(requester.orgId, async (tx) => {
    const actor = await requireTriager(tx, requester);
    const { changing, skipped } = selectTargets(ids, await lockTargets(tx, actor, ids), reopeningObstacle);
    // The decision `open` overrides a suppression by the scanner; without one, no decision is needed.
    await setFindingDecisions(tx, actor.orgId, idsOf(changing.filter((target) => target.suppressed)), 'open');
    await setFindingDecisions(tx, actor.orgId, idsOf(changing.filter((target) => !target.suppressed)), null);
    await withdrawWaiversOf(services, tx, actor, changing);
    const decisions = changing.map((target): TriageDecision => {
      const after = { status: target.status === 'fixed' ? 'fixed' : 'open' };
      return { target, kind: 'reopened', comment, before: { status: target.status }, after };
    });
    await recordDecisions(services, tx, actor.orgId, { actor, decisions });
    await recomputeAndNotify(services, tx, actor.orgId, changing);
    return { changed: idsOf(changing), skipped };
  });
}

const reopeningObstacle = ({ status, decided }: TriageTarget): string | undefined => {
  if (decided === 'dismissed' || decided === 'exception' || status === 'dismissed') return undefined;
  return status === 'fixed' ? 'It is fixed and cannot be reopened.' : 'It is already open.';
};

const idsOf = (targets: readonly TriageTarget[]) => targets.map(({ id }) => id);

const untilOf = (waiver: TriageTarget['waiver']) => (waiver ? ` until ${formatDay(waiver.until)}` : '');
