import type { ApprovedWaiver } from '@sightline/evidence/controls/waivers.ts';
import { entryJoinSql, entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { defaultBranchesOf, defaultBranchJoinSql, defaultBranchSpansJson } from './default-branches.ts';
import type { PopulationQuery } from './population.ts';
import { endOfFacts } from './population.ts';
import { latest } from './row-values.ts';

/** A finding on the default branch at a checkpoint, independent of a control. */
export interface FindingFact {
  id: string;
  repository: string;
  firstSeenAt: string;
  /** Null if the deciding scanner reported none. */
  severity: number | null;
  leaf: number | null;
  instances: readonly InstanceFact[];
  decisions: readonly DecisionFact[];
}

export interface InstanceFact {
  source: string;
  state: 'open' | 'suppressed' | 'fixed';
  /** The time of this state. */
  since: string;
  /** The reason of the scanner for its suppression. */
  reason: string | null;
  lastSeenAt: string;
  leaves: readonly (number | null)[];
}

/** The decisions of members, oldest first. */
export interface DecisionFact {
  kind: string;
  at: string;
  by: string | null;
  reason: string | null;
  waiverId: string | null;
  leaf: number | null;
}

const BATCH_SIZE = 1_000;

/** Returns findings first seen before the end of the period, in batches. */
export async function* findingsAt(
  tx: Tx,
  query: PopulationQuery,
  which: 'secrets' | 'all',
): AsyncGenerator<FindingFact[]> {
  const known = {
    seen: await lastSeenOf(tx, query),
    spans: defaultBranchSpansJson(await defaultBranchesOf(tx, query)),
  };
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await tx.query<FindingFactRow>({
      name: `population.findings-${which}`,
      text: `select f.id, f.repository_id as repository, f.discovered_at as at,
               case when (select bool_or(s.severity_known and s.severity = f.severity) from finding_source s
                 where s.org_id = f.org_id and s.finding_id = f.id) then f.severity end as severity
             from finding f
             where f.org_id = $1 and f.id > $2 and f.discovered_at < $3 ${which === 'secrets' ? "and f.category = 'secret'" : ''}
             order by f.id limit ${BATCH_SIZE}`,
      values: [query.orgId, after, query.period.to],
    });
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const ids = rows.map(({ id }) => id);
    const instances = await instancesOf(tx, query, ids, known);
    const decisions = await decisionsOf(tx, query, ids);
    yield rows.flatMap(({ at, ...row }): FindingFact[] => {
      const found = instances.get(row.id);
      if (!found || found.length === 0) return [];
      const leaf = found.map(({ leaves: [first] }) => first ?? null).find((one) => one !== null) ?? null;
      return [
        { ...row, firstSeenAt: at.toISOString(), leaf, instances: found, decisions: decisions.get(row.id) ?? [] },
      ];
    });
    if (rows.length < BATCH_SIZE) return;
  }
}

interface FindingFactRow extends Record<string, unknown> {
  id: string;
  repository: string;
  at: Date;
  severity: number | null;
}

/** The last complete run of each analysis at the ledger size. */
async function lastSeenOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ analysis: string; at: Date }>({
    name: 'population.analyses',
    text: `select s.analysis, max(s.finished_at) as at from scan s ${entryOrLegacyJoinSql('entry', { fact: 's', epoch: '$2', size: '$3' })}
           where s.org_id = $1 and s.state = 'done' and s.complete and s.finished_at < $4 group by s.analysis`,
    values: [orgId, asOf.epoch, asOf.size, period.to],
  });
  return new Map(rows.map(({ analysis, at }) => [analysis, at.toISOString()]));
}

interface InstanceChange {
  at: string;
  was: InstanceFact['state'];
  state: InstanceFact['state'];
  isRecorded: boolean;
  leaf: number | null;
}

/**
 * Instances on the default branch at the end whose first scan is in the ledger, in their state after the last change
 * before the end of the period.
 */
async function instancesOf(
  tx: Tx,
  query: PopulationQuery,
  ids: readonly string[],
  { seen, spans }: { seen: ReadonlyMap<string, string>; spans: string },
): Promise<Map<string, InstanceFact[]>> {
  const { orgId, period, asOf } = query;
  const rows = await tx.query<{
    finding: string;
    source: string;
    analysis: string;
    state: InstanceFact['state'];
    firstSeen: Date;
    reason: string | null;
    leaf: number | null;
    turns: InstanceChange[] | null;
  }>({
    name: 'population.instances',
    text: `select i.finding_id as finding, a.source, i.analysis, i.state, i.first_seen as "firstSeen", i.suppressed->>'reason' as reason,
             entry.leaf::int, turns.list as turns
           from finding_instance i
           ${defaultBranchJoinSql('d', { spans: '$7', repository: 'i.repository_id', at: '$8::timestamptz' })} and i.ref = 'refs/heads/' || d.name
           join analysis a on a.org_id = i.org_id and a.repository_id = i.repository_id and a.key = i.analysis
           left join scan first on first.org_id = i.org_id and first.id = i.first_scan
           cross join lateral (select i.org_id, first.entry_id) begun
           ${entryOrLegacyJoinSql('entry', { fact: 'begun', epoch: '$2', size: '$3' })}
           left join lateral (
             select jsonb_agg(jsonb_build_object('at', to_char(c.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'was', c.was,
               'state', c.state, 'isRecorded', turn.is_recorded, 'leaf', turn.leaf) order by c.at) as list
             from finding_change c
             left join scan s on s.org_id = c.org_id and s.id = c.scan_id
             cross join lateral (
               select case when s.entry_id is null then c.at <= $6::timestamptz else le.leaf_index is not null end as is_recorded,
                 case when le.epoch = $2::int then le.leaf_index end as leaf
               from (select 1) one left join lateral (
                 select epoch, leaf_index from ledger_entry e where e.org_id = c.org_id and e.entry_id = s.entry_id
                   and (e.epoch, e.leaf_index) < ($2::int, $3::bigint) order by (epoch, leaf_index) limit 1) le on true
             ) turn
             where c.org_id = i.org_id and c.repository_id = i.repository_id and c.fingerprint = i.fingerprint and c.analysis = i.analysis
           ) turns on true
           where i.org_id = $1 and i.finding_id = any($4::uuid[]) and i.first_seen < $5
           order by i.finding_id, i.first_seen, i.analysis, i.fingerprint`,
    values: [orgId, asOf.epoch, asOf.size, ids, period.to, asOf.at, spans, endOfFacts(query)],
  });
  const instances = new Map<string, InstanceFact[]>();
  for (const row of rows) {
    const turns = row.turns ?? [];
    const last = turns.findLast(({ isRecorded, at }) => isRecorded && at < period.to);
    const firstSeen = row.firstSeen.toISOString();
    const lastSeen = seen.get(row.analysis) ?? firstSeen;
    const one: InstanceFact = {
      source: row.source,
      state: last?.state ?? turns[0]?.was ?? row.state,
      since: last?.at ?? firstSeen,
      reason: row.reason,
      lastSeenAt: latest(lastSeen, firstSeen),
      leaves: [row.leaf, ...turns.filter(({ isRecorded }) => isRecorded).map(({ leaf }) => leaf)],
    };
    instances.set(row.finding, [...(instances.get(row.finding) ?? []), one]);
  }
  return instances;
}

async function decisionsOf(
  tx: Tx,
  { orgId, period, asOf }: PopulationQuery,
  ids: readonly string[],
): Promise<Map<string, DecisionFact[]>> {
  const rows = await tx.query<Omit<DecisionFact, 'at'> & { finding: string; at: Date } & Record<string, unknown>>({
    name: 'population.decisions',
    text: `select d.finding_id as finding, d.kind, d.at, d.account_id as by, d.reason, d.waiver_id as "waiverId", entry.leaf::int
           from finding_decision d ${entryOrLegacyJoinSql('entry', { fact: 'd', epoch: '$2', size: '$3' })}
           where d.org_id = $1 and d.finding_id = any($4::uuid[]) and d.at < $5 order by d.at, d.id`,
    values: [orgId, asOf.epoch, asOf.size, ids, period.to],
  });
  const decisions = new Map<string, DecisionFact[]>();
  for (const { finding, at, ...row } of rows) {
    decisions.set(finding, [...(decisions.get(finding) ?? []), { ...row, at: at.toISOString() }]);
  }
  return decisions;
}

/** Returns the approved waivers of findings by finding. A withdrawn waiver ends at its withdrawal. */
export async function approvedWaiversByFinding(
  tx: Tx,
  { orgId, asOf }: PopulationQuery,
): Promise<Map<string, ApprovedWaiver[]>> {
  const rows = await tx.query<{
    finding: string;
    id: string;
    requestedBy: string;
    decidedBy: string;
    at: Date;
    until: Date;
  }>({
    name: 'population.approved',
    text: `select d.finding_id as finding, e.id, e.requested_by as "requestedBy", d.account_id as "decidedBy", d.at,
             least(e.valid_until, (select min(w.at) from finding_decision w ${entryJoinSql('withdrawn', { fact: 'w', epoch: '$2', size: '$3' })}
               where w.org_id = d.org_id and w.finding_id = d.finding_id and w.waiver_id = d.waiver_id
                 and w.kind = 'waiver_withdrawn' and w.at > d.at)) as until
           from finding_decision d ${entryOrLegacyJoinSql('entry', { fact: 'd', epoch: '$2', size: '$3' })}
           join finding_waiver e on e.org_id = d.org_id and e.id = d.waiver_id
           where d.org_id = $1 and d.kind = 'waiver_approved' and d.account_id is not null order by d.at, d.id`,
    values: [orgId, asOf.epoch, asOf.size],
  });
  const approved = new Map<string, ApprovedWaiver[]>();
  for (const { finding, at, until, ...row } of rows) {
    const decidedAt = at.toISOString();
    const one = { ...row, decidedAt, from: decidedAt, until: until.toISOString() };
    approved.set(finding, [...(approved.get(finding) ?? []), one]);
  }
  return approved;
}

/** The last decision of a member, otherwise the common decision of all scanners that still report the finding. */
export function dismissalOf({ decisions, instances }: FindingFact): { at: string; reason: string } | null {
  const last = decisions.findLast(({ kind }) => kind === 'dismissed' || kind === 'reopened');
  if (last) return last.kind === 'dismissed' ? { at: last.at, reason: last.reason ?? '' } : null;
  const unfixed = instances.filter(({ state }) => state !== 'fixed');
  const [first] = unfixed;
  if (!first || unfixed.some(({ state }) => state !== 'suppressed')) return null;
  return { at: latest(...unfixed.map(({ since }) => since)), reason: first.reason ?? '' };
}
