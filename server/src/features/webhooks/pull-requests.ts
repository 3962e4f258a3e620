import { z } from 'zod';
import type { HostPullRequest, HostReview } from '#providers/code-host.ts';
import { pullRequestFromWebhook, reviewFrom } from '#providers/github/pull-request-shapes.ts';
import { retireRef } from '../findings/commands.ts';
import { ingestPullRequest } from '../ingest/commands.ts';
import type { Work } from './delivery.ts';
import { firstOr, hostOf, maybeSubject } from './repositories.ts';

interface Told {
  pullRequest: HostPullRequest;
  reviews: HostReview[] | undefined;
}

/** A pull request of a tracked repository changed: take its whole state, reviews included. */
export const handlePullRequest = (work: Work): Promise<void> => take(work, () => undefined);

const reviewEvent = z.object({ review: z.unknown() });

/** A review was handed in, changed or dismissed. */
export const handleReview = (work: Work): Promise<void> =>
  take(work, () => {
    const review = reviewFrom(reviewEvent.parse(work.payload).review);
    return review && [review];
  });

async function take(work: Work, reviewsTold: () => HostReview[] | undefined): Promise<void> {
  const { services, orgId, payload } = work;
  const subject = await maybeSubject(work);
  if (!subject) return;
  const told = (): Told => ({ pullRequest: pullRequestFromWebhook(payload), reviews: reviewsTold() });
  const { number } = told().pullRequest;
  const read = async (): Promise<Told> => (await hostOf(work, subject)).getPullRequest(subject.ref, number);
  const { pullRequest, reviews } = await firstOr(work, read, told);
  await ingestPullRequest(services, orgId, subject.repositoryId, pullRequest, reviews);
  if (pullRequest.state === 'in-progress') return;
  await services.database.withOrg(orgId, async (tx) => {
    for (const end of ['merge', 'head']) {
      const ref = `refs/pull/${pullRequest.number}/${end}`;
      await retireRef(services, tx, orgId, subject.repositoryId, ref);
    }
  });
}
