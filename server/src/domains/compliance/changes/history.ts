import type { Services } from '#core/services.ts';
import type { RecordedRepository } from './scope.ts';

interface Reached {
  shas: string[];
  isWhole: boolean;
}

/**
 * Returns a function that lists the commits a push made reachable, by the parents of stored commits. Call it for the
 * oldest push first. `before` is the branch head before it; null if the push created the branch. The function returns
 * undefined for a commit that is not stored.
 */
export async function reachableCommitsReader(
  { database }: Services,
  { orgId, repositoryId }: RecordedRepository,
  before: string | null,
): Promise<(after: string | null) => Reached | undefined> {
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<{ sha: string; parents: string[] | null }>({
      name: 'changes.history',
      text: 'select sha, parents from commit where org_id = $1 and repository_id = $2',
      values: [orgId, repositoryId],
    }),
  );
  const parentsOf = new Map(rows.map(({ sha, parents }) => [sha, parents]));
  const seen = new Set<string>();
  if (before !== null) walk(parentsOf, before, seen);
  return (after) => {
    if (after === null) return { shas: [], isWhole: true };
    return parentsOf.has(after) ? walk(parentsOf, after, seen) : undefined;
  };
}

/** Lists the unseen commits that are reachable from a commit, parents first, and marks them as seen. */
function walk(parentsOf: ReadonlyMap<string, string[] | null>, from: string, seen: Set<string>): Reached {
  const shas: string[] = [];
  let isWhole = true;
  const stack = [{ sha: from, isDone: false }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { sha, isDone } = at;
    if (isDone) {
      shas.push(sha);
      continue;
    }
    if (seen.has(sha)) continue;
    seen.add(sha);
    const parents = parentsOf.get(sha);
    if (!parents) {
      isWhole = false;
      continue;
    }
    stack.push({ sha, isDone: true });
    for (const parent of parents.toReversed()) if (!seen.has(parent)) stack.push({ sha: parent, isDone: false });
  }
  return { shas, isWhole };
}
