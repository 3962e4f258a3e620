import type { Tx } from '#database/database.ts';

/** Marks rows with a ledger entry as changed by an erasure, by the IDs of their entries. */
export const markRowsErased = (
  tx: Tx,
  orgId: string,
  erasureId: string,
  entryIds: readonly string[],
): Promise<unknown> =>
  tx.query({
    name: '',
    text: `insert into erased_row (org_id, entry_id, erasure_id) select $1, unnest($2::uuid[]), $3 on conflict do nothing`,
    values: [orgId, entryIds, erasureId],
  });
