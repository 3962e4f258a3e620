import type { Services } from '#core/services.ts';
import { withoutIndexing } from './indexing.ts';

const namesPerBatch = 5_000;

/**
 * Deletes names of values that no event contains anymore, two days after they become unused. Until then, a process may
 * have cached that a name exists and not write it again.
 */
export async function deleteUnusedNames({ database }: Services, orgId: string): Promise<void> {
  let cursor = ['', ''];
  for (;;) {
    const [last] = await withoutIndexing(database, orgId, (tx) =>
      tx.query<{ field: string; value: string }>({
        name: '',
        text: namesSql,
        values: [orgId, ...cursor, namesPerBatch],
      }),
    );
    if (!last) return;
    cursor = [last.field, last.value];
  }
}

const namesSql = `
  with looked as materialized (
    select field, value, term, idle_since from posting_name
    where org_id = $1 and (field, value) > ($2, $3) order by field, value limit $4
  ), waiting as materialized (
    select distinct unnest(terms) as term from posting_pending where org_id = $1
  ), judged as materialized (
    select n.*, not exists (select from posting_list p where p.org_id = $1 and p.term = n.term)
      and n.term not in (select term from waiting) as idle
    from looked n
  ), changed as (
    update posting_name n set idle_since = case when j.idle then now() end from judged j
    where n.org_id = $1 and n.field = j.field and n.value = j.value and j.idle <> (j.idle_since is not null)
  ), gone as (
    delete from posting_name n using judged j
    where n.org_id = $1 and n.field = j.field and n.value = j.value and j.idle and j.idle_since < now() - interval '2 days'
  )
  select field, value from looked order by field desc, value desc limit 1`;
