import type { Services } from '#core/services.ts';
import { pagesOf } from '#providers/code-host.ts';
import type { HostCommit } from '../../../providers/host-facts.ts';
import { queueImport, recordGap } from '../imports/commands.ts';
import { ingestCommits } from '../ingest/commands.ts';
import type { ReconciledRepository } from './scene.ts';

// With more new commits, the import takes over: it can continue where it stopped.
const MAX_COMMITS = 500;
const CONCURRENCY = 6;

/**
 * Imports commits of the default branch that webhooks missed, and returns their number. Reads pages until all commits
 * of a page are known. Stores the oldest first, so that a crash leaves no unknown commit behind a known one.
 */
export async function recoverCommits(services: Services, repository: ReconciledRepository): Promise<number> {
  const { orgId, repositoryId, host, ref, branch } = repository;
  const fresh: HostCommit[] = [];
  for await (const items of pagesOf((page) => host.listCommits(ref, branch, page))) {
    const unknown = await unknownOf(services, repository, items);
    if (unknown.length === 0) break;
    fresh.push(...unknown);
    if (fresh.length <= MAX_COMMITS) continue;
    await services.database.withOrg(orgId, (tx) => queueImport(services, tx, orgId, repositoryId));
    return fresh.length;
  }
  let added = 0;
  for (let end = fresh.length; end > 0; end -= CONCURRENCY) {
    const batch = fresh.slice(Math.max(0, end - CONCURRENCY), end);
    const read = await Promise.all(
      batch.map((commit) =>
        host.getCommit(ref, commit.sha).catch(async (error: unknown) => {
          await recordGap(services, { orgId, repositoryId }, { kind: 'files', item: commit.sha }, error);
          return commit;
        }),
      ),
    );
    added += (await ingestCommits(services, orgId, repositoryId, { commits: read, branch })).added;
  }
  return added;
}

async function unknownOf(
  { database }: Services,
  { orgId, repositoryId }: ReconciledRepository,
  commits: readonly HostCommit[],
): Promise<HostCommit[]> {
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<{ sha: string }>({
      name: 'reconcile.commits',
      text: 'select sha from commit where org_id = $1 and repository_id = $2 and sha = any($3::text[])',
      values: [orgId, repositoryId, commits.map(({ sha }) => sha)],
    }),
  );
  const known = new Set(rows.map(({ sha }) => sha));
  return commits.filter(({ sha }) => !known.has(sha));
}
