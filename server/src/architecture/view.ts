import type { Tx } from '#database/database.ts';

interface View {
  orgId: string;
  viewId: string;
  owner: string;
  name: string;
}

/** Restores a shared saved view. */
export async function insertSavedView({ db }: Tx, { orgId, viewId, owner, name }: View): Promise<void> {
  await db.deleteFrom('explore_view').where('org_id', '=', orgId).execute();
  await db
    .insertInto('explore_view')
    .values({
      org_id: orgId,
      id: viewId,
      account_id: owner,
      name: `What ${name} commits`,
      query: 'kind:commit',
      context: null,
      shared: true,
    })
    .execute();
}
