import type { ChecksRow, RequiredApp } from '@sightline/evidence/controls/change-rows.ts';
import { type Fact, knownItems } from '@sightline/evidence/controls/facts.ts';
import { PROTECTION_VALID_MINUTES } from '@sightline/evidence/controls/protection-polling.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { UNNAMED_CHECKS } from '../../../sources/protection/queries.ts';
import { changeRecordsAt, checksRow, type RecordRow } from '../../changes/rows.ts';
import { isMerge } from './changes.ts';
import type { Population, PopulationQuery } from './population.ts';
import { mergeCompleteness, pushCompleteness } from './push-completeness.ts';
import { distinctLeaves, missing } from './row-values.ts';

/** Merges with the branch protection at the merge, and the checks that were required shortly before. */
export const population: Population<ChecksRow> = {
  async *rows(tx, query) {
    for await (const records of changeRecordsAt(tx, query)) {
      const merges = records.filter(isMerge);
      const protections = await protectionsOf(tx, query, merges);
      yield merges.map((merge) => rowOf(merge, protections.get(merge.id)));
    }
  },
  completeness: async (tx, query) => [await pushCompleteness(tx, query), await mergeCompleteness(tx, query)],
};

interface MergeProtection {
  apps: Fact<readonly RequiredApp[]> | null;
  /** Names of the checks that snapshots shortly before the merge required. */
  before: string[];
  leaves: (number | null)[];
}

function rowOf(merge: RecordRow, protection: MergeProtection | undefined): ChecksRow {
  const { requiredChecks } = merge.parts;
  const required = knownItems(requiredChecks);
  const before = requiredChecks.state === 'complete' ? (protection?.before ?? []) : [];
  const row = checksRow(merge, {
    requiredApps: protection?.apps ?? missing,
    disabledChecks: before.filter((name) => !required.includes(name)),
  });
  return { ...row, leaves: distinctLeaves([...row.leaves, ...(protection?.leaves ?? [])]) };
}

async function protectionsOf(
  tx: Tx,
  { orgId, asOf }: PopulationQuery,
  merges: readonly RecordRow[],
): Promise<ReadonlyMap<string, MergeProtection>> {
  const rows = await tx.query<MergeProtection & { id: string }>({
    name: 'population.chg-05-protections',
    text: `select m.id, at.rules -> 'requiredApps' as apps, coalesce(before.names, '{}') as before,
             array_remove(array_append(coalesce(before.leaves, '{}'), at.leaf), null)::int[] as leaves
           from unnest($4::uuid[], $5::uuid[], $6::text[], $7::timestamptz[], $8::uuid[]) as m(id, repository, branch, merged, protection)
           left join lateral (
             select p.rules, entry.leaf from protection_snapshot p ${entryJoinSql('entry', { fact: 'p', epoch: '$2', size: '$3' })}
             where p.org_id = $1 and p.id = m.protection
           ) at on true
           left join lateral (
             select array_agg(distinct c.name order by c.name) as names, array_agg(distinct entry.leaf) as leaves
             from protection_snapshot p ${entryJoinSql('entry', { fact: 'p', epoch: '$2', size: '$3' })}
             cross join lateral (
               select jsonb_array_elements_text(coalesce(p.rules #> '{requiredChecks,value}', '[]')) as name
               union all
               select '${UNNAMED_CHECKS}' where p.rules #>> '{requiredChecks,state}' = 'missing'
                 and (p.rules #>> '{requiredCheckCount,value}')::int > 0
             ) c
             where p.org_id = $1 and p.repository_id = m.repository and p.branch = m.branch
               and p.captured_at between m.merged - make_interval(mins => ${PROTECTION_VALID_MINUTES}) and m.merged
           ) before on true`,
    values: [
      ...[orgId, asOf.epoch, asOf.size],
      merges.map(({ id }) => id),
      merges.map(({ repository_id: repository }) => repository),
      merges.map(({ branch }) => branch),
      merges.map(({ merged_at: at }) => at),
      merges.map(({ protection_id: protection }) => protection),
    ],
  });
  return new Map(rows.map(({ id, ...protection }) => [id, protection]));
}
