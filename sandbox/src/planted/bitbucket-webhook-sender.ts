import type { Bitbucket } from '../bitbucket/bitbucket.ts';
import { sendWebhook } from '../bitbucket/hooks.ts';
import { pullRequestEvent, pushEvent } from '../bitbucket/webhooks.ts';
import type { PullRequest, PullRequestReview } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import type { HostWebhookSender } from './webhook-sender.ts';

/** Sends Bitbucket webhooks for a repository. A dismissed approval is withdrawn by its reviewer. */
export const bitbucketWebhookSender = (bitbucket: Bitbucket, repository: HostedRepository): HostWebhookSender => {
  const pullRequest = (action: string, pull: PullRequest, by = pull.author, review?: PullRequestReview): void =>
    sendWebhook(
      bitbucket,
      repository,
      `pullrequest:${action}`,
      pullRequestEvent(bitbucket, { repository, pull, by, review }),
    );
  return {
    async pushed({ ref, before, after, by }, { known }) {
      const change = { ref, before: before ?? undefined, after: after ?? undefined };
      sendWebhook(
        bitbucket,
        repository,
        'repo:push',
        pushEvent(bitbucket, { repository, moved: [change], known: new Set(known), by }),
      );
    },
    opened: async (pull) => pullRequest('created', pull),
    updated: async (pull, { by }) => pullRequest('updated', pull, by ?? pull.author),
    merged: async (pull) => pullRequest('fulfilled', pull, pull.mergedBy ?? pull.author),
    reviewed: (pull, review) =>
      pullRequest(
        review.verdict === 'approved' ? 'approved' : 'changes_request_created',
        pull,
        review.reviewer,
        review,
      ),
    dismissed: (pull, review) => pullRequest('unapproved', pull, review.reviewer, review),
    settled: () => bitbucket.deliveries.settled(),
  };
};
