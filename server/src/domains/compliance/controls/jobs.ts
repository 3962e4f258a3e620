import { parsePeriod, quarterOf } from '@sightline/contract/core/periods.ts';
import { sampleSeed } from '@sightline/evidence/controls/sample.ts';
import { isArchived } from '#core/archived.ts';
import { Refusal } from '#core/errors.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { findCheckpointAt, organizationsWithLedger } from '../../ledger/ledger/queries.ts';
import { recordRetestsOf } from '../remediations/commands.ts';
import { queueEvaluations, requestsForAllControls } from './commands.ts';
import { deleteOldRows } from './delete-old-rows.ts';
import { evaluatePopulation } from './evaluate-population.ts';
import type { PopulationQuery } from './populations/population.ts';
import { saveRun } from './save-run.ts';
import { findPreviousStatus, notifyOfFailure } from './status-changes.ts';
import { pinTasks, type TaskRow, updateTask } from './tasks.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'controls.daily': Record<string, never>;
    'controls.delete-old-rows': Record<string, never>;
  }
}

export const controlJobs = (services: Services): JobDefinition[] => [
  { name: 'controls.prepare', handle: ({ orgId, taskIds }) => prepare(services, orgId, taskIds) },
  { name: 'controls.evaluate', handle: ({ orgId, taskId }) => evaluate(services, orgId, taskId), expireMinutes: 120 },
  // After the integrity check of the ledger, so that yesterday is complete.
  {
    name: 'controls.daily',
    handle: () =>
      forEachOrganization(services, { job: 'controls.daily', ...organizationsWithLedger }, (orgId) =>
        evaluateAll(services, orgId),
      ),
    cron: '17 3 * * *',
  },
  {
    name: 'controls.delete-old-rows',
    handle: () =>
      forEachOrganization(services, { job: 'controls.delete-old-rows', ...organizationsWithLedger }, (orgId) =>
        services.database.withOrg(orgId, (tx) => deleteOldRows(tx, orgId)),
      ),
    cron: '47 4 * * *',
  },
];

/** Days for which a quarter is evaluated after its end, to include late data. */
const LATE_DAYS = 14;

async function evaluateAll(services: Services, orgId: string): Promise<void> {
  const now = Date.now();
  const quarters = new Set([now - LATE_DAYS * 24 * 60 * 60_000, now].map((at) => quarterOf(new Date(at))));
  await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return;
    const requests = [...quarters].flatMap((quarter) => requestsForAllControls(parsePeriod(quarter) as never));
    await queueEvaluations(services, tx, orgId, { requests, actor: undefined });
  });
}

/** Signs a checkpoint, so that all requested tasks are evaluated at the same ledger size. */
async function prepare(services: Services, orgId: string, taskIds: readonly string[]): Promise<void> {
  const { withOrg } = services.database;
  try {
    const checkpoint = await sequenceAndSign(services.ledger, orgId);
    if (!checkpoint) throw new Refusal('conflict', 'The ledger has no entries.');
    await withOrg(orgId, async (tx) => {
      await pinTasks(tx, orgId, taskIds, checkpoint);
      for (const taskId of taskIds)
        await services.jobs.enqueue(tx, 'controls.evaluate', { orgId, taskId }, { key: taskId });
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const taskId of taskIds) await fail(services, orgId, taskId, error.message);
  }
}

async function evaluate(services: Services, orgId: string, taskId: string): Promise<void> {
  const { withOrg } = services.database;
  const task = await withOrg(orgId, (tx) => updateTask(tx, orgId, taskId, { state: 'running', evaluated: 0 }));
  if (!task || task.epoch === null || task.size === null) return;
  notifyClients(services, orgId, task);
  try {
    await evaluateTask(services, orgId, task, { epoch: task.epoch, size: task.size });
  } catch (error) {
    services.log.error({ orgId, control: task.control, err: error }, 'a control could not be evaluated');
    const message = error instanceof Refusal ? error.message : 'The evaluation failed. See the log of the server.';
    await fail(services, orgId, taskId, message);
  }
}

async function evaluateTask(
  services: Services,
  orgId: string,
  task: TaskRow,
  asOf: { epoch: number; size: number },
): Promise<void> {
  const { withOrg } = services.database;
  const { id, control } = task;
  const period = { from: task.from.toISOString(), to: task.to.toISOString() };
  const checkpoint = await withOrg(orgId, (tx) => findCheckpointAt(tx, orgId, asOf));
  const query: PopulationQuery = { orgId, period, asOf: { ...asOf, at: checkpoint.signedAt.toISOString() } };
  const onRows = async (evaluated: number) => {
    await withOrg(orgId, (tx) => updateTask(tx, orgId, id, { state: 'running', evaluated }));
    notifyClients(services, orgId, task);
  };
  const evaluated = await withOrg(orgId, (tx) => evaluatePopulation(tx, query, control, { onRows }));
  const seed = sampleSeed({ root: checkpoint.root.toString('base64'), control, period });
  await withOrg(orgId, async (tx) => {
    const isReevaluation = task.askedSize !== null;
    const before = isReevaluation ? undefined : await findPreviousStatus(tx, query, control);
    const isNew = await saveRun(tx, query, { id, control, again: isReevaluation, seed }, evaluated);
    if (isNew && !isReevaluation) {
      const { rows } = evaluated.run;
      await recordRetestsOf(services, tx, orgId, { runId: id, control, period, asOf: query.asOf, rows });
    }
    if (isNew && before === 'passing' && evaluated.run.status === 'failing') {
      await notifyOfFailure(services, tx, query, { id, control, failing: evaluated.run.counts.fail });
    }
    await updateTask(tx, orgId, id, { state: 'done', evaluated: evaluated.run.counts.population, runId: id });
    if (task.askedSize === null) {
      await services.jobs.enqueue(tx, 'policies.warn', { orgId, runId: id }, { key: id });
    }
    tx.afterCommit(() => notifyClients(services, orgId, task));
  });
}

const fail = ({ database, realtime }: Services, orgId: string, taskId: string, failure: string): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    const task = await updateTask(tx, orgId, taskId, { state: 'failed', failure });
    if (task) tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgEvidence', { controlId: task.control }));
  });

const notifyClients = ({ realtime }: Services, orgId: string, { control }: TaskRow): void =>
  realtime.notifyOrganization(orgId, 'orgEvidence', { controlId: control });
