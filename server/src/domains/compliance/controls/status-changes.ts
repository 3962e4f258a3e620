import type { ControlStatus } from '@sightline/contract/compliance/controls.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { definitionOf } from './catalog.ts';
import type { PopulationQuery } from './populations/population.ts';

/**
 * What a control said when it was evaluated last: of the period, or, where that is evaluated for the first time, of the one before.
 * Undefined where it never was.
 */
export async function maybeStatusBefore(
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

/** Tells that a control is not met any more, in the transaction that keeps the run which says so. */
export const tellOfFailure = (
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  { orgId, period: { from } }: PopulationQuery,
  { id, control, exceptions }: { id: string; control: ControlId; exceptions: number },
): Promise<void> =>
  raise({ jobs }, tx, orgId, {
    doer: { clock: true },
    news: [{ type: 'control.failed', control, title: definitionOf(control).title, runId: id, from, exceptions }],
  });
