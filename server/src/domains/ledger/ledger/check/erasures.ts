import { isReadByKindSql } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import { erasedRowsRoot } from '../../../organization/erasure/queries.ts';
import { maybeParsedEntry } from './audit.ts';
import type { ReportProblem } from './problem.ts';

interface ErasureStateRow extends Record<string, unknown> {
  id: string;
  running: boolean;
}

interface ErasureEntryRow extends Record<string, unknown> {
  epoch: number;
  index: number | null;
  entry: string;
}

/**
 * Checks the rows that erasures changed. Otherwise, an attacker could mark any changed row as erased, so the last entry
 * of each erasure commits to the number and IDs of its rows.
 */
export async function checkErasures({ database }: Services, orgId: string, report: ReportProblem): Promise<void> {
  await database.withOrg(orgId, async (tx) => {
    const marked = await tx.query<ErasureStateRow>({ name: 'ledger.check-erased', text: markedSql, values: [orgId] });
    const entries = await tx.query<ErasureEntryRow>({
      name: 'ledger.check-erasures',
      text: completedSql,
      values: [orgId],
    });
    const entriesByErasure = new Map(
      entries.map(({ entry, ...location }) => {
        const subject = maybeParsedEntry(entry)?.subject ?? {};
        return [String(subject.erasure), { ...location, subject }];
      }),
    );
    for (const { id, running } of marked) {
      const recorded = entriesByErasure.get(id);
      if (running && recorded === undefined) continue;
      const reportErasure = (message: string) =>
        report({
          what: 'event',
          epoch: recorded?.epoch ?? 0,
          index: recorded?.index ?? null,
          message: `the deletion ${id} ${message}`,
        });
      if (recorded === undefined) {
        reportErasure('changed rows without a ledger entry');
        continue;
      }
      const { rows, root } = await erasedRowsRoot(tx, orgId, id);
      const index = recorded.index ?? '(pending)';
      if (rows !== recorded.subject.rows || root !== recorded.subject.root) {
        reportErasure(`changed ${rows} rows that do not match ledger entry ${index}`);
      }
    }
  });
}

const markedSql = `
  select x.erasure_id as id, coalesce(e.state = 'running', false) as running
  from (select distinct erasure_id from erased_row where org_id = $1) x
  left join erasure e on e.org_id = $1 and e.id = x.erasure_id order by 1`;

const completedSql = `
  select epoch, leaf_index as index, entry_text(e) as entry from ledger_entry e
  where org_id = $1 and kind = 'erasure.done' and ${isReadByKindSql}
  union all
  select 0, null, entry from ledger_pending where org_id = $1 and kind = 'erasure.done'`;
