import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { maybePlace, type Place, patternsOf } from './scope.ts';

/** The branches of a repository whose changes are recorded: the default one, and those in scope that were pushed to. */
export async function recordedBranches(
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<{ place: Place; branches: string[] } | undefined> {
  const place = await maybePlace(services, orgId, repositoryId);
  if (!place) return undefined;
  const others = await services.database.withOrg(orgId, (tx) => pushedBranches(tx, orgId, repositoryId));
  return { place, branches: [...new Set([place.defaultBranch, ...others])] };
}

async function pushedBranches(tx: Tx, orgId: string, repositoryId: string): Promise<string[]> {
  if ((await patternsOf(tx, orgId)).length === 0) return [];
  const rows = await tx.query<{ branch: string }>({
    name: 'changes.branches',
    text: 'select distinct branch from branch_push where org_id = $1 and repository_id = $2 order by branch',
    values: [orgId, repositoryId],
  });
  return rows.map(({ branch }) => branch);
}
