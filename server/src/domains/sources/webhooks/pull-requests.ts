import { HostRefused } from '#providers/code-host.ts';
import { ingestPullRequest } from '../ingest/commands.ts';
import type { WebhookWork } from './delivery.ts';
import { deliveryHost, maybeDeliveryRepository, readHostOrPayload } from './repositories.ts';
import { pullRequestReceived, refsDeleted } from './topics.ts';

type ReadPayload = NonNullable<WebhookWork<'pull_request'>['hostEvent']['parsePayload']>;

/** Imports a changed pull request of an enabled repository with all reviews. */
export async function handlePullRequest(work: WebhookWork<'pull_request'>): Promise<void> {
  const { services, orgId, hostEvent } = work;
  const subject = await maybeDeliveryRepository(work, hostEvent.repository);
  if (!subject) return;
  const read = async (): Promise<ReturnType<ReadPayload>> =>
    (await deliveryHost(work, subject)).getPullRequest(subject.ref, hostEvent.number);
  const { pullRequest, reviews } = await readHostOrPayload(work, read, hostEvent.parsePayload ?? failIncomplete);
  const receivedAt = work.receivedAt.toISOString();
  const { pushed, dismissedReview } = hostEvent;
  await ingestPullRequest(services, orgId, {
    repositoryId: subject.repositoryId,
    pullRequest,
    reviews,
    deliveryFacts: {
      deliveredReviews: hostEvent.parsePayload?.().reviews,
      dismissal: dismissedReview === undefined ? undefined : { reviewId: dismissedReview, receivedAt },
      also: async (tx) => {
        const publication = { services, tx, orgId };
        const repository = { ...subject, provider: work.provider };
        const isOpen = pullRequest.state === 'in-progress';
        const received = { repository, number: hostEvent.number, isOpen, pushed, receivedAt };
        await services.topics.publish(publication, pullRequestReceived, received);
      },
    },
  });
  if (pullRequest.state === 'in-progress') return;
  // In a separate transaction: it locks the counts of the organization, which must be the last lock.
  const refs = ['merge', 'head'].map((end) => `refs/pull/${pullRequest.number}/${end}`);
  const deleted = { repositoryId: subject.repositoryId, refs };
  await services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, refsDeleted, deleted),
  );
}

const failIncomplete: ReadPayload = () => {
  throw new HostRefused(404, 'The code host denies access to this pull request, and the webhook has too little data.');
};
