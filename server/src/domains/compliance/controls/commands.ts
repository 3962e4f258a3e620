import type { ControlTask } from '@sightline/contract/compliance/control-runs.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { formatPeriod, type Period } from '@sightline/contract/core/periods.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { countCost, requireCostCapacity } from '#core/costs.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import { parseLedgerSize } from '#core/ledger-size.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findCheckpointAt } from '../../ledger/ledger/queries.ts';
import { populationOf } from './catalog.ts';
import { parsePeriod, type RunSelector } from './run-selector.ts';
import { addTask, countUnfinished, type EvaluationRequest, endStuckTasks, taskFrom } from './tasks.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'controls.prepare': { orgId: string; taskIds: string[] };
    'controls.evaluate': { orgId: string; taskId: string };
  }
}

/**
 * Queues the evaluation of a control for a period. Throws 409 for a control without data sources, and 404 for an
 * unknown checkpoint.
 */
export function requestEvaluation(
  services: Services,
  actor: Actor,
  control: ControlId,
  { period, asOf }: RunSelector,
): Promise<ControlTask> {
  if (!populationOf(control)) throw Conflict('No data source of this control is connected, so it cannot be evaluated.');
  const begunPeriod = requireBegun(parsePeriod(period));
  return services.database.withOrg(actor.orgId, async (tx) => {
    await spendEvaluation(services, tx, actor.orgId);
    const checkpoint = asOf === undefined ? undefined : await findCheckpointAt(tx, actor.orgId, parseLedgerSize(asOf));
    const [task] = await queueEvaluations(services, tx, actor.orgId, {
      requests: [{ control, period: begunPeriod, checkpoint }],
      actor,
    });
    if (!task) throw new Error('The requested evaluation has no task');
    return task;
  });
}

/** Queues the evaluation of all controls with data for a period. */
export function requestAllEvaluations(
  services: Services,
  actor: Actor,
  period: string | undefined,
): Promise<ControlTask[]> {
  const begunPeriod = requireBegun(parsePeriod(period));
  return services.database.withOrg(actor.orgId, async (tx) => {
    await spendEvaluation(services, tx, actor.orgId);
    return queueEvaluations(services, tx, actor.orgId, { requests: requestsForAllControls(begunPeriod), actor });
  });
}

async function spendEvaluation(services: Services, tx: Tx, orgId: string): Promise<void> {
  await countCost(services, tx, 'evaluation', orgId);
  requireCostCapacity(services, 'evaluation', await countUnfinished(tx, orgId));
}

/** Requests the evaluation of all controls with data for a period. */
export const requestsForAllControls = (period: Period): EvaluationRequest[] =>
  controlIds.filter((id) => populationOf(id)).map((control) => ({ control, period }));

/**
 * Adds evaluation tasks and queues their jobs: for requests of users, for the scheduled job and for snapshots. The audit
 * log records them if an actor requested them.
 */
export async function queueEvaluations(
  services: Pick<Services, 'jobs' | 'people' | 'realtime'>,
  tx: Tx,
  orgId: string,
  { requests, actor }: { requests: readonly EvaluationRequest[]; actor: Actor | undefined },
): Promise<ControlTask[]> {
  await endStuckTasks(tx, orgId);
  const tasks = [];
  for (const request of requests) tasks.push(await addTask(tx, orgId, request, actor?.accountId ?? null));
  const fresh = tasks.filter(({ isNew }) => isNew);
  const unpinned = fresh.filter(({ size }) => size === null).map(({ id }) => id);
  if (unpinned[0] !== undefined) {
    await services.jobs.enqueue(tx, 'controls.prepare', { orgId, taskIds: unpinned }, { key: unpinned[0] });
  }
  for (const { id } of fresh.filter(({ size }) => size !== null)) {
    await services.jobs.enqueue(tx, 'controls.evaluate', { orgId, taskId: id }, { key: id });
  }
  for (const { control, from, to, askedSize } of fresh) {
    if (!actor) break;
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'control.run_requested',
        subject: { kind: 'control', id: control },
        data: { period: formatPeriod({ from: from.toISOString(), to: to.toISOString() }), asOf: askedSize },
      },
    });
  }
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', {}));
  return tasks.map(taskFrom);
}

function requireBegun(period: Period): Period {
  if (Date.parse(period.from) > Date.now()) throw Invalid('period', 'must have begun');
  return period;
}
