import type { Services } from '#core/services.ts';
import { pagesOf } from '#providers/code-host.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import { recordGap } from '../imports/commands.ts';
import { ingestPullRequest } from '../ingest/commands.ts';
import type { ReconciledRepository } from './scene.ts';

/**
 * Imports pull requests that were updated since the last import. Returns how many had changes that webhooks missed.
 * Updates without a webhook of ours, such as comments, are imported but not counted.
 */
export async function recoverPullRequests(services: Services, repository: ReconciledRepository): Promise<number> {
  const { orgId, repositoryId, host, ref } = repository;
  const changed: { number: number; known: StoredPullRequest | undefined }[] = [];
  for await (const items of pagesOf((page) => host.listPullRequests(ref, page))) {
    const known = await knownOf(
      services,
      repository,
      items.map(({ number }) => number),
    );
    const newer = items.filter(({ number, updatedAt }) => {
      const row = known.get(number);
      return !row || row.updated_at.getTime() < Date.parse(updatedAt);
    });
    if (newer.length === 0) break;
    changed.push(...newer.map(({ number }) => ({ number, known: known.get(number) })));
  }
  let healed = 0;
  // The oldest update first, so that a crash leaves no unknown update behind a known one.
  for (const { number, known } of changed.toReversed()) {
    try {
      const { pullRequest, reviews } = await host.getPullRequest(ref, number);
      await ingestPullRequest(services, orgId, { repositoryId, pullRequest, reviews });
      if (!known || !isSame(known, pullRequest)) healed += 1;
    } catch (error) {
      // A failure does not block other pull requests and is retried.
      await recordGap(services, { orgId, repositoryId }, { kind: 'pull_request', item: String(number) }, error);
    }
  }
  return healed;
}

interface StoredPullRequest {
  [column: string]: unknown;
  number: number;
  updated_at: Date;
  title: string;
  status: string;
  draft: boolean;
  head_sha: string;
}

const isSame = (known: StoredPullRequest, { title, state, draft, headSha }: HostPullRequest): boolean =>
  known.title === title && known.status === state && known.draft === draft && known.head_sha === headSha;

async function knownOf(
  { database }: Services,
  { orgId, repositoryId }: ReconciledRepository,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, StoredPullRequest>> {
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<StoredPullRequest>({
      name: 'reconcile.pull-requests',
      text: `select number, updated_at, title, status, draft, head_sha from pull_request
             where org_id = $1 and repository_id = $2 and number = any($3::int[])`,
      values: [orgId, repositoryId, numbers],
    }),
  );
  return new Map(rows.map((row) => [row.number, row]));
}
