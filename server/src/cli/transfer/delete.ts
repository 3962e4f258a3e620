import type pg from 'pg';
import { Conflict } from '#core/errors.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { transactionOn } from '#database/database.ts';
import { operatorUserName } from '../operator.ts';
import type { FoundOrganization } from './close.ts';
import { listOrganizationTables } from './tables.ts';

/** Tables whose rows stay, so that people still see where their organization moved. */
const kept = new Set(['public.organization', 'public.member']);

/**
 * Deletes the rows of an organization that moved, one transaction per table, so that an interrupted run can be repeated. Its
 * address stays. Returns the number of rows. `client`: the login of the owner. Throws 409 if it did not move.
 */
export async function deleteMovedOrganization(client: pg.Client, { id, movedTo }: FoundOrganization): Promise<number> {
  if (movedTo === null) throw Conflict('This organization did not move.');
  // Triggers must not derive rows from deleted ones.
  await client.query("select set_config('app.org', $1, false), set_config('app.importing', 'on', false)", [id]);
  const tables = await listOrganizationTables(client, 'all');
  let deleted = 0;
  for (const { name } of tables.reverse()) {
    if (kept.has(name)) continue;
    deleted += (await client.query(`delete from ${name} where org_id = $1`, [id])).rowCount ?? 0;
  }
  await recordOperatorEntry(transactionOn(client, []), operatorUserName(), {
    action: 'organization.moved_rows_deleted',
    subject: { kind: 'organization', id },
    data: { movedTo, rows: deleted },
  });
  return deleted;
}
