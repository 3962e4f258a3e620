import { pathKeyOf } from '#core/path-keys.ts';
import type { Tx } from '#database/database.ts';
import type { ChangeWork } from './work.ts';

const MAX_FILES = 5_000;

/** The keys of the files that the known commits of a change touch, or that notes and traces name. */
export async function fileKeysOfChange(
  tx: Tx,
  orgId: string,
  { changeId, repositoryId, commits }: ChangeWork,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ path: string }>({
    name: 'changes.files-of-work',
    text: `select path from ai_attribution where org_id = $1 and change_id = $2 and path is not null
           union select f ->> 'path' from commit c
             cross join lateral jsonb_array_elements(case jsonb_typeof(c.files) when 'array' then c.files else '[]' end) f
             where c.org_id = $1 and c.repository_id = $3 and c.sha = any($4::text[])
           limit ${MAX_FILES}`,
    values: [orgId, changeId, repositoryId, commits],
  });
  return new Set(rows.map(({ path }) => pathKeyOf(path)));
}
