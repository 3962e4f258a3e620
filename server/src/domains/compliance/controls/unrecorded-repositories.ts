import type { UnrecordedRepositories } from '@sightline/contract/compliance/control-runs.ts';
import type { Period } from '@sightline/contract/core/periods.ts';
import { repositoriesIn, repositoryKinds, unrecordedRepositories } from '@sightline/evidence/bundle/repositories.ts';
import { parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { isReadByKindSql } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';

/** Repositories in a response. A bundle lists all. */
const MAX_LISTED = 200;

/** Returns the repositories that were disabled at any time in the period, from the ledger at a checkpoint. */
export async function findUnrecorded(
  tx: Tx,
  orgId: string,
  period: Period,
  { epoch, size }: { epoch: number; size: number },
): Promise<UnrecordedRepositories> {
  const rows = await tx.query<{ index: number; entry: string }>({
    name: 'controls.repository-entries',
    text: `select leaf_index::int as index, entry_text(e) as entry from ledger_entry e
           where org_id = $1 and kind = any($2) and ${isReadByKindSql} and epoch = $3 and leaf_index < $4 order by leaf_index`,
    values: [orgId, repositoryKinds, epoch, size],
  });
  const entries = rows.map(({ index, entry }) => ({ ...parseEntry(entry), index }));
  const found = unrecordedRepositories(repositoriesIn(entries, size, { period, repositories: null }), period);
  const listed = found.slice(0, MAX_LISTED);
  const names = await namesOfRepositories(
    tx,
    orgId,
    listed.map(({ id }) => id),
  );
  const repositories = listed.map(({ id, recorded }) => ({
    id,
    name: names.get(id) ?? id,
    recorded: recorded.map((span) => ({ ...span })),
  }));
  return { total: found.length, repositories };
}

async function namesOfRepositories({ db }: Tx, orgId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('repository')
    .select(['id', 'full_name'])
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, full_name }) => [id, full_name]));
}
