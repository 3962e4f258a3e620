import { HostRefused } from '#providers/code-host.ts';
import { takeHeadPush } from '../../compliance/changes/commands.ts';
import { queueStatus } from '../../compliance/policies/commands.ts';
import { retireRef } from '../../vulnerabilities/findings/commands.ts';
import { ingestPullRequest } from '../ingest/commands.ts';
import type { WorkOf } from './delivery.ts';
import { firstOr, hostOf, maybeSubject } from './repositories.ts';

type Told = NonNullable<WorkOf<'pull_request'>['news']['told']>;

/** A pull request of a tracked repository changed, or a review of it: take its whole state, reviews included. */
export async function handlePullRequest(work: WorkOf<'pull_request'>): Promise<void> {
  const { services, orgId, news } = work;
  const subject = await maybeSubject(work, news.repository);
  if (!subject) return;
  const read = async (): Promise<ReturnType<Told>> =>
    (await hostOf(work, subject)).getPullRequest(subject.ref, news.number);
  const { pullRequest, reviews } = await firstOr(work, read, news.told ?? tooLittle);
  const receivedAt = work.receivedAt.toISOString();
  const { pushed, dismissedReview } = news;
  await ingestPullRequest(services, orgId, subject.repositoryId, pullRequest, reviews, {
    heard: news.told?.().reviews,
    dismissal: dismissedReview === undefined ? undefined : { reviewId: dismissedReview, receivedAt },
    also: async (tx) => {
      if (pullRequest.state === 'in-progress') {
        await queueStatus(services, tx, orgId, subject.repositoryId, news.number);
      }
      if (!pushed) return;
      await takeHeadPush(services, tx, { ...subject, orgId, provider: work.provider }, news.number, {
        ...pushed,
        receivedAt,
      });
    },
  });
  if (pullRequest.state === 'in-progress') return;
  await services.database.withOrg(orgId, async (tx) => {
    for (const end of ['merge', 'head']) {
      const ref = `refs/pull/${pullRequest.number}/${end}`;
      await retireRef(services, tx, orgId, subject.repositoryId, ref);
    }
  });
}

const tooLittle: Told = () => {
  throw new HostRefused(404, 'The code host does not show this pull request, and what it sent says too little of it.');
};
