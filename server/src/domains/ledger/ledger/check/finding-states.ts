import { isReadByKindSql } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { ReportProblem } from './problem.ts';

/**
 * Compares the number and hash of the states of findings with their ledger entries, in both directions. Lists at a ledger
 * size show these states.
 */
export async function checkFindingStates({ database }: Services, orgId: string, report: ReportProblem): Promise<void> {
  const wrong = await database.withOrg(orgId, (tx) =>
    tx.query<{ id: string; epoch: number | null; index: number | null }>({
      name: 'ledger.check-finding-states',
      text: differingSql,
      values: [orgId],
    }),
  );
  for (const { id, epoch, index } of wrong) {
    report({
      what: 'finding',
      epoch: epoch ?? 0,
      index,
      message: `states of findings do not match ledger entry ${index ?? id}`,
    });
  }
}

const differingSql = `
  with stored as (
    select entry_id, count(*)::int as findings,
      encode(sha256(convert_to(string_agg(finding_state_content(s), chr(10) order by s.finding_id::text), 'UTF8')), 'hex') as sha256
    from finding_state s where s.org_id = $1 group by entry_id
  ),
  recorded as (
    -- A changed entry may be no JSON any more.
    select distinct on (e.entry_id) e.entry_id, e.epoch, e.leaf_index,
      substring(e.entry from '"findings":([0-9]{1,9})[,}]')::int as findings, substring(e.entry from '"sha256":"([0-9a-f]+)"') as sha256
    from (
      select entry_id, epoch, leaf_index, entry_text(l) as entry from ledger_entry l
      where org_id = $1 and kind = 'findings.changed' and ${isReadByKindSql}
      union all
      select entry_id, null, null, entry from ledger_pending where org_id = $1 and kind = 'findings.changed'
    ) e order by e.entry_id, e.epoch, e.leaf_index
  )
  select coalesce(r.entry_id, s.entry_id) as id, r.epoch, r.leaf_index as index
  from recorded r full join stored s on s.entry_id = r.entry_id
  where (r.findings, r.sha256) is distinct from (s.findings, s.sha256)
  order by 2, 3, 1 limit 100`;
