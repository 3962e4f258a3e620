import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { withoutIndexing } from './indexing.ts';
import { findArchivedTerms } from './segments/archived-terms.ts';
import { readSegmentList } from './segments/segment-list.ts';

const namesPerBatch = 5_000;

/**
 * Deletes names of values that no event contains anymore, two days after they become unused. Until then, a process may
 * have cached that a name exists and not write it again.
 */
export async function deleteUnusedNames(services: Services, orgId: string): Promise<void> {
  const { database } = services;
  const archived = await archivedTermsOfNames(services, orgId);
  let cursor = ['', ''];
  for (;;) {
    const [last] = await withoutIndexing(database, orgId, async (tx) =>
      tx.query<{ field: string; value: string }>({
        name: '',
        text: namesSql,
        values: [orgId, ...cursor, namesPerBatch, await archivedInBatch(tx, orgId, cursor, archived)],
      }),
    );
    if (!last) return;
    cursor = [last.field, last.value];
  }
}

/** The terms of names that only archived events have. An event that is archived meanwhile has indexed words until then. */
async function archivedTermsOfNames(services: Services, orgId: string): Promise<ReadonlySet<number>> {
  const { segments } = await readSegmentList(services.database, orgId);
  if (segments.length === 0) return new Set();
  const rows = await services.database.withOrg(orgId, (tx) =>
    tx.query<{ term: number }>({
      name: '',
      text: `select distinct term from posting_name n where org_id = $1
               and not exists (select from posting_list p where p.org_id = $1 and p.term = n.term)`,
      values: [orgId],
    }),
  );
  return findArchivedTerms(services, orgId, new Set(rows.map(({ term }) => term)));
}

async function archivedInBatch(
  tx: Tx,
  orgId: string,
  cursor: readonly string[],
  archived: ReadonlySet<number>,
): Promise<number[]> {
  if (archived.size === 0) return [];
  const rows = await tx.query<{ term: number }>({
    name: '',
    text: 'select term from posting_name where org_id = $1 and (field, value) > ($2, $3) order by field, value limit $4',
    values: [orgId, ...cursor, namesPerBatch],
  });
  return rows.flatMap(({ term }) => (archived.has(term) ? term : []));
}

const namesSql = `
  with looked as materialized (
    select field, value, term, idle_since from posting_name
    where org_id = $1 and (field, value) > ($2, $3) order by field, value limit $4
  ), waiting as materialized (
    select distinct unnest(terms) as term from posting_pending where org_id = $1
  ), judged as materialized (
    select n.*, not exists (select from posting_list p where p.org_id = $1 and p.term = n.term)
      and n.term not in (select term from waiting) and n.term not in (select unnest($5::bigint[])) as idle
    from looked n
  ), changed as (
    update posting_name n set idle_since = case when j.idle then now() end from judged j
    where n.org_id = $1 and n.field = j.field and n.value = j.value and j.idle <> (j.idle_since is not null)
  ), gone as (
    delete from posting_name n using judged j
    where n.org_id = $1 and n.field = j.field and n.value = j.value and j.idle and j.idle_since < now() - interval '2 days'
  )
  select field, value from looked order by field desc, value desc limit 1`;
