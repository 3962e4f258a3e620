import type { RawBuilder } from 'kysely';
import type pg from 'pg';
import type { Tx } from '#database/database.ts';
import { shareRows } from '#database/shared-rows.ts';

/**
 * Counts findings that have no stored counts: once until findings or labels of the organization change, and once for
 * requests at the same time. The result must depend on findings, labels and parameters only.
 */
export async function countShared<Row extends pg.QueryResultRow>(
  tx: Tx,
  orgId: string,
  statement: RawBuilder<Row>,
): Promise<readonly Row[]> {
  const [current] = await tx.query<{ version: string }>({
    name: 'findings.version',
    // None in a transaction that has changed findings: its counts are not those of others.
    text: `select version from finding_version where org_id = $1
             and coalesce(current_setting('sightline.finding_version', true), '') = ''`,
    values: [orgId],
  });
  return shareRows(tx, { orgId, version: current?.version }, statement);
}
