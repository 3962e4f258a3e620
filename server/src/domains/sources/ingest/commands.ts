import { isArchived } from '#core/archived.ts';
import { Archived } from '#core/errors.ts';
import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit, HostPullRequest, HostReview } from '../../../providers/host-facts.ts';
import { appendFacts, indexLateFields } from '../../timeline/events/commands.ts';
import { storeAgentShares } from '../attribution/commands.ts';
import { boundChanges, boundCommit, boundPullRequest, boundReview } from './bounds.ts';
import { writeCommits } from './commits.ts';
import { type WebhookFacts, writePullRequest } from './pull-requests.ts';
import { maybeEnabledRepository } from './target.ts';
import { fileFieldsOf } from './timeline-events.ts';

/**
 * Stores commits of an import or a webhook; both lead to the same rows. Idempotent: completes commits that were stored
 * without parents or files, as from a push payload. `also` runs in the same transaction.
 */
export function ingestCommits(
  services: Services,
  orgId: string,
  repositoryId: string,
  {
    commits: received,
    branch,
    also,
  }: { commits: readonly HostCommit[]; branch: string; also?: (tx: Tx) => Promise<void> },
): Promise<{ added: number }> {
  const commits = received.map(boundCommit);
  return services.database.withOrg(orgId, async (tx) => {
    const target = await maybeEnabledRepository(tx, orgId, repositoryId);
    if (!target) return { added: 0 };
    await also?.(tx);
    if (commits.length === 0) return { added: 0 };
    const { added, events, completed } = await writeCommits(services, tx, orgId, { target, commits, branch });
    const appended = await appendFacts(services, tx, orgId, events);
    const late = completed.filter(({ id }) => !appended.added.has(id));
    await indexLateFields(services, tx, orgId, late);
    sendRepositoryNotice(services, tx, orgId, repositoryId);
    return { added };
  });
}

/** Stores a pull request and its reviews. Idempotent: an older state never overwrites a newer one. */
export function ingestPullRequest(
  services: Services,
  orgId: string,
  {
    repositoryId,
    pullRequest,
    reviews = [],
    deliveryFacts: { also, ...facts } = {},
  }: {
    repositoryId: string;
    pullRequest: HostPullRequest;
    reviews?: readonly HostReview[] | undefined;
    deliveryFacts?: (WebhookFacts & { also?: (tx: Tx) => Promise<void> }) | undefined;
  },
): Promise<void> {
  return services.database.withOrg(orgId, async (tx) => {
    const target = await maybeEnabledRepository(tx, orgId, repositoryId);
    if (!target) return;
    const bound = { ...facts, deliveredReviews: facts.deliveredReviews?.map(boundReview) };
    const [state, all] = [boundPullRequest(pullRequest), reviews.map(boundReview)];
    const events = await writePullRequest(services, tx, orgId, {
      target,
      pullRequest: state,
      reviews: all,
      deliveryFacts: bound,
    });
    await also?.(tx);
    await appendFacts(services, tx, orgId, events);
    sendRepositoryNotice(services, tx, orgId, repositoryId);
  });
}

/** Completes commits with their changes. `changes` is undefined if the host no longer has the commit. */
export function ingestChanges(
  services: Services,
  orgId: string,
  repositoryId: string,
  received: readonly { sha: string; changes: HostCommit['changes'] }[],
): Promise<void> {
  const commits = received.map(({ sha, changes }) => ({ sha, changes: changes && boundChanges(changes) }));
  return services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) throw Archived();
    const completed = await tx.query<{ sha: string }>({
      name: 'ingest.changes',
      text: `with before as (
               select sha from commit where org_id = $1 and repository_id = $2 and files is null
                 and sha in (select sha from jsonb_to_recordset($3::jsonb) as x(sha text)) order by sha for update
             ), changed as (
               update commit c set files = coalesce(x.files, 'null'), additions = x.additions, deletions = x.deletions
               from jsonb_to_recordset($3::jsonb) as x(sha text, files jsonb, additions int, deletions int)
               where c.org_id = $1 and c.repository_id = $2 and c.sha = x.sha
             ) select sha from before`,
      values: [
        orgId,
        repositoryId,
        JSON.stringify(
          commits.map(({ sha, changes }) => ({
            sha,
            files: changes?.files ?? null,
            additions: changes?.additions,
            deletions: changes?.deletions,
          })),
        ),
      ],
    });
    const completedShas = new Set(completed.map(({ sha }) => sha));
    const searchFields = commits.flatMap(({ sha, changes }) =>
      completedShas.has(sha) && changes && changes.files.length > 0
        ? { id: factId('commit', repositoryId, sha), fields: fileFieldsOf(changes.files) }
        : [],
    );
    await indexLateFields(services, tx, orgId, searchFields);
    await storeAgentShares(tx, orgId, repositoryId, [...completedShas]);
  });
}

const sendRepositoryNotice = (services: Services, tx: Tx, orgId: string, repositoryId: string) =>
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgRepos', { repositoryId }));
