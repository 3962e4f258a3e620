import { permissionScopeOf, type RoleId } from '@sightline/contract/core/permissions.ts';
import { withoutIndependentCount } from '@sightline/evidence/controls/completeness.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { WaiverDecisionRow } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql, entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { loadMemberships } from './members.ts';
import { humanReader } from './people.ts';
import type { Population, PopulationQuery } from './population.ts';
import { distinctLeaves, known, missing } from './row-values.ts';

/** Waivers of findings and controls that were approved or refused. */
export const population: Population<WaiverDecisionRow> = {
  async *rows(tx, query) {
    const decisions = [...(await ofFindings(tx, query)), ...(await ofControls(tx, query))];
    const actor = await humanReader(
      tx,
      query.orgId,
      decisions.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy]),
    );
    const members = await loadMemberships(tx, query);
    for (let at = 0; at < decisions.length; at += BATCH_SIZE) {
      yield decisions.slice(at, at + BATCH_SIZE).map((one): WaiverDecisionRow => {
        const decidedAt = one.at.toISOString();
        const member = members.at(one.decidedBy, decidedAt);
        return {
          subject: `waiver:${one.id}`,
          repository: one.repository,
          leaf: one.leaf,
          leaves: distinctLeaves([one.leaf, one.requestedLeaf]),
          waivers: [],
          decidedAt,
          requestedBy: actor(one.requestedBy),
          decidedBy: actor(one.decidedBy),
          hadPermission: one.heldRight === null ? rightOf(member) : known(one.heldRight),
          reasonLength: one.reasonLength,
          from: decidedAt,
          until: one.until.toISOString(),
        };
      });
    }
  },
  async completeness(tx, query) {
    const found = (await ofFindings(tx, query)).length + (await ofControls(tx, query)).length;
    return [withoutIndependentCount('waivers', found)];
  },
};

const BATCH_SIZE = 5_000;

interface StoredDecision extends Record<string, unknown> {
  id: string;
  repository: string | null;
  requestedBy: string;
  decidedBy: string;
  at: Date;
  until: Date;
  reasonLength: number;
  heldRight: boolean | null;
  leaf: number | null;
  requestedLeaf: number | null;
}

/** Decisions before the end of the period; approved waivers only if they are valid in the period. */
const ofFindings = (tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<StoredDecision[]> =>
  tx.query<StoredDecision>({
    name: 'population.exc-01-findings',
    text: `select e.id, f.repository_id as repository, e.requested_by as "requestedBy", d.account_id as "decidedBy", d.at,
             greatest(e.valid_until, d.at) as until, coalesce(e.reason_length, char_length(e.reason)) as "reasonLength",
             d.had_permission as "heldRight", entry.leaf::int,
             (select le.leaf_index::int from finding_decision a join ledger_entry le on le.org_id = a.org_id and le.entry_id = a.entry_id
              where a.org_id = d.org_id and a.finding_id = d.finding_id and a.waiver_id = d.waiver_id
                and a.kind = 'waiver_requested' and le.epoch = $2::int and le.leaf_index < $3::bigint limit 1) as "requestedLeaf"
           from finding_decision d ${entryOrLegacyJoinSql('entry', { fact: 'd', epoch: '$2', size: '$3' })}
           join finding_waiver e on e.org_id = d.org_id and e.id = d.waiver_id
           left join finding f on f.org_id = d.org_id and f.id = d.finding_id
           where d.org_id = $1 and d.kind in ('waiver_approved', 'waiver_refused') and d.account_id is not null
             and d.at < $5 and (d.at >= $4 or (d.kind = 'waiver_approved' and e.valid_until > $4))
           order by d.at, e.id`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });

const ofControls = (tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<StoredDecision[]> =>
  tx.query<StoredDecision>({
    name: 'population.exc-01-controls',
    text: `select e.id, e.repository_id as repository, e.requested_by as "requestedBy", e.decided_by as "decidedBy", e.decided_at as at,
             greatest(e.valid_until, e.decided_at) as until, coalesce(e.reason_length, char_length(e.reason)) as "reasonLength", null::boolean as "heldRight",
             entry.leaf::int, requested.leaf::int as "requestedLeaf"
           from control_waiver e ${entryJoinSql('entry', { fact: 'e', entry: 'decided_entry_id', epoch: '$2', size: '$3' })}
           ${entryJoinSql('requested', { fact: 'e', epoch: '$2', size: '$3' })}
           where e.org_id = $1 and e.decision in ('approved', 'refused') and e.decided_by is not null
             and e.decided_at < $5 and (e.decided_at >= $4 or (e.decision = 'approved' and e.valid_until > $4))
           order by e.decided_at, e.id`,
    values: [orgId, asOf.epoch, asOf.size, period.from, period.to],
  });

/** By the role of the decider at that time. */
function rightOf(member: Fact<{ role: string | null; status: string } | null>): Fact<boolean> {
  if (member.state === 'missing') return missing;
  const { role, status } = member.value ?? { role: null, status: 'removed' };
  const isIn = status === 'active' || status === 'accepted';
  return known(isIn && role !== null && permissionScopeOf(role as RoleId, 'approve:exceptions') !== undefined);
}
