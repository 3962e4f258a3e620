import { sql } from 'kysely';
import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostPullRequest, HostReview, HostUser } from '../../../providers/host-facts.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import type { IngestRepository } from './target.ts';
import { pullRequestEvents } from './timeline-events.ts';
import { mergeRecorded } from './topics.ts';

/** The dismissal of a review by a webhook, with the time of receipt. */
interface Dismissal {
  reviewId: string;
  receivedAt: string;
}

/** Facts of a webhook delivery that the current state at the host does not contain. */
export interface WebhookFacts {
  dismissal?: Dismissal | undefined;
  deliveredReviews?: readonly HostReview[] | undefined;
}

/** Stores a pull request and its reviews, and returns its events. An older state changes nothing. */
export async function writePullRequest(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    target,
    pullRequest,
    reviews,
    deliveryFacts: { dismissal, deliveredReviews = [] } = {},
  }: {
    target: IngestRepository;
    pullRequest: HostPullRequest;
    reviews: readonly HostReview[];
    deliveryFacts?: WebhookFacts | undefined;
  },
): Promise<NewEvent[]> {
  const { author, mergedBy, closedBy } = pullRequest;
  const users = new Map(
    [author, mergedBy, closedBy, ...[...reviews, ...deliveredReviews].map((review) => review.user)].flatMap((user) =>
      user ? [[keyOf(user), user]] : [],
    ),
  );
  const people = await services.people.resolve(
    tx,
    orgId,
    [...users.values()].map((user) => claimOf(user, target.provider)),
  );
  const byKey = new Map([...users.keys()].map((key, index) => [key, people[index] ?? '']));
  const personOf = (user: HostUser) => byKey.get(keyOf(user)) ?? '';
  const merger = mergedBy && personOf(mergedBy);
  const changed = await upsert(tx, orgId, { target, pr: pullRequest, person: personOf(author), merger });
  if (changed) await recordState(services, tx, orgId, { target, pr: pullRequest, person: personOf(author) });
  // Stores the state of a review from the delivery first, even if the host already returns it as dismissed.
  const delivered = deliveredReviews.filter(({ state }) => state !== 'dismissed');
  await writeReviews(tx, orgId, {
    target,
    number: pullRequest.number,
    reviews: delivered,
    personOf,
    dismissal: undefined,
  });
  await writeReviews(tx, orgId, { target, number: pullRequest.number, reviews, personOf, dismissal });
  const { number, mergedAt } = pullRequest;
  const isRelevant = changed || dismissal !== undefined;
  if (mergedAt !== null && isRelevant) {
    const merged = { repositoryId: target.id, number, mergedAt, isDismissal: dismissal !== undefined };
    await services.topics.publish({ services, tx, orgId }, mergeRecorded, merged);
  }
  return pullRequestEvents(pullRequest, reviews, personOf, target);
}

const keyOf = ({ id, login }: HostUser): string => id ?? login;

const claimOf = (user: HostUser, provider: IngestRepository['provider']) => ({
  names: [{ kind: provider, value: keyOf(user), hostId: user.hostId }],
  display: user.login,
  picture: user.avatarUrl,
  source: provider,
});

async function upsert(
  tx: Tx,
  orgId: string,
  {
    target,
    pr,
    person,
    merger,
  }: { target: IngestRepository; pr: HostPullRequest; person: string; merger: string | null },
): Promise<boolean> {
  const contextId = factId('context', target.id, pr.number);
  const filters = [
    { within: 'repository', field: 'fullName', predicate: 'is', arguments: [target.fullName] },
    { within: 'pull_request', field: 'number', predicate: 'is', arguments: [String(pr.number)] },
  ];
  await tx.db
    .insertInto('context')
    .values({ org_id: orgId, id: contextId, filters: JSON.stringify(filters) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = {
    title: pr.title,
    status: pr.state,
    draft: pr.draft,
    author_avatar: pr.author.avatarUrl,
    updated_at: pr.updatedAt,
    merged_at: pr.mergedAt,
    closed_at: pr.closedAt,
    closed_by_login: pr.closedBy?.login ?? pr.mergedBy?.login ?? null,
    base_ref: pr.baseRef,
    head_ref: pr.headRef,
    head_sha: pr.headSha,
    merge_sha: pr.mergeSha,
    additions: pr.additions,
    deletions: pr.deletions,
    changed_files: pr.changedFiles,
    commits: pr.commits,
    url: pr.url,
    ...(merger !== null && { merged_by_person: merger }),
    ...(pr.labels && { labels: [...pr.labels] }),
  };
  const written = await tx.db
    .insertInto('pull_request')
    .values({
      org_id: orgId,
      repository_id: target.id,
      number: pr.number,
      author_person: person,
      author_login: pr.author.login,
      author_is_agent: pr.author.isAgent,
      created_at: pr.createdAt,
      context_id: contextId,
      ...row,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'repository_id', 'number'])
        .doUpdateSet((eb) => ({
          ...row,
          // Not every webhook contains the counts: known ones remain.
          additions: eb.fn.coalesce('excluded.additions', 'pull_request.additions'),
          deletions: eb.fn.coalesce('excluded.deletions', 'pull_request.deletions'),
          changed_files: eb.fn.coalesce('excluded.changed_files', 'pull_request.changed_files'),
          commits: eb.fn.coalesce('excluded.commits', 'pull_request.commits'),
        }))
        .where('pull_request.updated_at', '<=', new Date(pr.updatedAt))
        // An unchanged state is no change and creates no ledger entry.
        .where((eb) =>
          eb.not(
            eb.and([
              eb('pull_request.updated_at', '=', new Date(pr.updatedAt)),
              eb('pull_request.status', '=', pr.state),
              eb('pull_request.title', '=', pr.title),
              eb('pull_request.head_sha', '=', pr.headSha),
              ...(pr.additions === null ? [] : [eb('pull_request.additions', 'is not', null)]),
            ]),
          ),
        ),
    )
    .returning('number')
    .executeTakeFirst();
  return written !== undefined;
}

/** Appends the state of a pull request to the ledger. It may change without an event. */
async function recordState(
  services: Services,
  tx: Tx,
  orgId: string,
  { target, pr, person }: { target: IngestRepository; pr: HostPullRequest; person: string },
): Promise<void> {
  const key = (await services.people.keys(tx, orgId, [person])).get(person);
  const fact = {
    id: newId(),
    org: orgId,
    kind: 'pull_request.state',
    asOf: pr.updatedAt,
    receivedAt: new Date().toISOString(),
    person,
    source: target.provider,
    subject: {
      repository: target.id,
      number: pr.number,
      status: pr.state,
      headSha: pr.headSha,
      baseRef: pr.baseRef,
      mergeSha: pr.mergeSha,
      mergedAt: pr.mergedAt,
    },
    personal: key ? { title: pr.title, author: pr.author.login } : {},
  };
  await appendEntries(tx, orgId, [createLedgerEntry(fact, key)]);
}

async function writeReviews(
  tx: Tx,
  orgId: string,
  {
    target,
    number,
    reviews,
    personOf,
    dismissal,
  }: {
    target: IngestRepository;
    number: number;
    reviews: readonly HostReview[];
    personOf: (user: HostUser) => string;
    dismissal: Dismissal | undefined;
  },
): Promise<void> {
  if (reviews.length === 0) return;
  const dismissedAt = (id: string) =>
    dismissal?.reviewId === id
      ? { dismissed_at: dismissal.receivedAt, dismissal_time_source: 'received' }
      : { dismissal_time_source: 'unknown' };
  await tx.db
    .insertInto('review')
    .values(
      reviews.map((review) => ({
        org_id: orgId,
        repository_id: target.id,
        number,
        review_id: review.id,
        person_id: personOf(review.user),
        login: review.user.login,
        state: review.state,
        sha: review.sha,
        submitted_at: review.submittedAt,
        ...(review.state === 'dismissed' && dismissedAt(review.id)),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'repository_id', 'number', 'review_id'])
        // Keeps the original state of a dismissed review; the dismissal has its own columns.
        .doUpdateSet((eb) => ({
          state: sql`case when ${eb.ref('excluded.state')} = 'dismissed' then review.state else ${eb.ref('excluded.state')} end`,
          dismissed_at: sql`case when ${eb.ref('excluded.state')} = 'dismissed' then coalesce(review.dismissed_at, excluded.dismissed_at) end`,
          dismissal_time_source: sql`case when ${eb.ref('excluded.state')} <> 'dismissed' then null
            when review.dismissed_at is not null then review.dismissal_time_source else excluded.dismissal_time_source end`,
        }))
        .where(({ or, eb }) =>
          or([
            eb('review.state', '<>', sql<string>`excluded.state`),
            eb('review.dismissal_time_source', 'is distinct from', sql<string>`excluded.dismissal_time_source`),
          ]),
        ),
    )
    .execute();
}
