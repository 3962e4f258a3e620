import type { DirectoryScope } from './scope.ts';

/** Records that a user became active or inactive in the directory, with a ledger entry. */
export async function recordDirectoryChange(
  { tx, orgId }: DirectoryScope,
  { userId, personId, isActive }: { userId: string; personId: string; isActive: boolean },
): Promise<void> {
  await tx.query({
    name: 'directory.record-change',
    text: `insert into directory_change (org_id, user_id, at, person_id, is_active, entry_id)
           select $1::uuid, $2::uuid, t.at, $3::uuid, $4::boolean, queue_fact($1, 'directory.changed', t.at, $3,
             format('{"active":%s,"user":"%s"}', case when $4::boolean then 'true' else 'false' end, $2::uuid))
           from (select clock_timestamp() as at) t`,
    values: [orgId, userId, personId, isActive],
  });
}
