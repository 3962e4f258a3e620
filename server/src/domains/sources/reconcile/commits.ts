import type { Services } from '#core/services.ts';
import { pagesOf } from '#providers/code-host.ts';
import type { HostCommit } from '../../../providers/host-facts.ts';
import { queueImport, recordGap } from '../imports/commands.ts';
import { ingestCommits } from '../ingest/commands.ts';
import type { ReconciledRepository } from './scene.ts';

// Beyond this many, the import does it better: it goes on where it stopped.
const most = 500;
const atOnce = 6;

/**
 * Takes in commits of the default branch that nobody told us of; answers how many. They are looked for down to a page of
 * which every commit is known, and taken in from the oldest on, so that a crash in between leaves none behind a known one.
 */
export async function healCommits(services: Services, scene: ReconciledRepository): Promise<number> {
  const { orgId, repositoryId, host, ref, branch } = scene;
  const fresh: HostCommit[] = [];
  for await (const items of pagesOf((page) => host.listCommits(ref, branch, page))) {
    const unknown = await unknownOf(services, scene, items);
    if (unknown.length === 0) break;
    fresh.push(...unknown);
    if (fresh.length <= most) continue;
    await services.database.withOrg(orgId, (tx) => queueImport(services, tx, orgId, repositoryId));
    return fresh.length;
  }
  let added = 0;
  for (let end = fresh.length; end > 0; end -= atOnce) {
    const some = fresh.slice(Math.max(0, end - atOnce), end);
    const read = await Promise.all(
      some.map((commit) =>
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
