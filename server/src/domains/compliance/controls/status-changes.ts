import type { ControlStatus } from '@sightline/contract/compliance/controls.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { definitionOf } from './catalog.ts';
import type { PopulationQuery } from './populations/population.ts';

/**
 * Returns the last status of a control for the period, or for the preceding period if this is its first evaluation.
 * Undefined without an earlier evaluation.
 */
export async function findPreviousStatus(
  { db }: Tx,
  { orgId, period }: PopulationQuery,
  control: ControlId,
): Promise<ControlStatus | undefined> {
  const row = await db
    .selectFrom('control_run')
    .select('status')
    .where('org_id', '=', orgId)
    .where('control_id', '=', control)
    .where('is_reevaluation', '=', false)
    .where('period_from', '<=', new Date(period.from))
    .orderBy('period_from', 'desc')
    .orderBy('run_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.status as ControlStatus | undefined;
}

/** Notifies that a control is failing, in the transaction that saves the run. */
export const notifyOfFailure = (
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  { orgId, period: { from } }: PopulationQuery,
  { id, control, failing }: { id: string; control: ControlId; failing: number },
): Promise<void> =>
  raiseNotifications({ jobs }, tx, orgId, {
    actor: { clock: true },
    notifications: [{ type: 'control.failed', control, title: definitionOf(control).title, runId: id, from, failing }],
  });
