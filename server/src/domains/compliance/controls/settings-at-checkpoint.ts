import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { settingFrom } from '@sightline/evidence/controls/parameters.ts';
import type { ApprovedWaiver } from '@sightline/evidence/controls/waivers.ts';
import { entryJoinSql, isRecordedSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import type { PopulationQuery, Setting } from './populations/population.ts';

/**
 * Returns the settings of a control as a checkpoint contains them: later settings are left out, and an end that was
 * recorded later is ignored. In a simulation, returns the proposed settings. Used by `evaluatePopulation` and
 * `findPopulation`.
 */
export async function settingsAtCheckpoint(
  tx: Tx,
  { orgId, asOf, proposed }: PopulationQuery,
  id: ControlId,
): Promise<readonly Setting[]> {
  if (proposed) return proposed.get(id) ?? [];
  const rows = await tx.query<{
    version: number;
    setting: Record<string, unknown>;
    repositories: string[] | null;
    from: Date;
    until: Date | null;
  }>({
    name: 'controls.settings',
    text: `select s.version, s.setting, s.repositories, s.valid_from as from,
             case when s.ended_entry_id is null or ${isRecordedSql({ fact: 's', entry: 'ended_entry_id', epoch: '$3', size: '$4' })} then s.valid_until end as until
           from control_setting s ${entryJoinSql('created', { fact: 's', epoch: '$3', size: '$4' })}
           where s.org_id = $1 and s.control_id = $2 order by s.version`,
    values: [orgId, id, asOf.epoch, asOf.size],
  });
  const { parameters } = controls[id];
  return rows.map(({ version, setting, repositories, from, until }) => ({
    version,
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
    repositories,
    setting: settingFrom(parameters, setting),
  }));
}

/** Returns the waivers of a control that were approved at a checkpoint, by subject, for the same callers. */
export async function waiversAtCheckpoint(
  tx: Tx,
  { orgId, asOf }: PopulationQuery,
  id: ControlId,
): Promise<ReadonlyMap<string, readonly ApprovedWaiver[]>> {
  const rows = await tx.query<{
    subject: string;
    id: string;
    requestedBy: string;
    decidedBy: string;
    decidedAt: Date;
    from: Date;
    until: Date;
  }>({
    name: 'controls.waivers',
    text: `select w.subject, w.id, w.requested_by as "requestedBy", w.decided_by as "decidedBy", w.decided_at as "decidedAt",
             w.valid_from as from, w.valid_until as until
           from control_waiver w ${entryJoinSql('decided', { fact: 'w', entry: 'decided_entry_id', epoch: '$3', size: '$4' })}
           where w.org_id = $1 and w.control_id = $2 and w.decision = 'approved' order by w.subject, w.id`,
    values: [orgId, id, asOf.epoch, asOf.size],
  });
  const waivers = new Map<string, ApprovedWaiver[]>();
  for (const { subject, decidedAt, from, until, ...row } of rows) {
    const waiver = { ...row, decidedAt: decidedAt.toISOString(), from: from.toISOString(), until: until.toISOString() };
    waivers.set(subject, [...(waivers.get(subject) ?? []), waiver]);
  }
  return waivers;
}
