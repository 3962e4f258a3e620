import type { Tx } from '#database/database.ts';

/** Whether an organization is archived, which stops its imports. False for an organization that does not exist. */
export async function isArchived(tx: Tx, orgId: string): Promise<boolean> {
  const [row] = await tx.query<{ archived: boolean }>({
    name: 'organization.archived',
    text: 'select archived_at is not null as archived from organization where id = $1',
    values: [orgId],
  });
  return row?.archived ?? false;
}
