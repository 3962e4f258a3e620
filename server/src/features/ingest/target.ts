import type { Tx } from '#database/database.ts';

/** A repository as ingest needs it: found through its organisation, tracked. */
export interface Target {
  id: string;
  provider: 'github' | 'gitlab' | 'bitbucket';
  fullName: string;
  url: string;
}

/** The repository while it is tracked; undefined for any other. */
export async function maybeTarget(tx: Tx, orgId: string, repositoryId: string): Promise<Target | undefined> {
  return tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('id', '=', repositoryId)
    .where('tracked', '=', true)
    .select(['id', 'provider', 'full_name as fullName', 'html_url as url'])
    .executeTakeFirst() as Promise<Target | undefined>;
}
