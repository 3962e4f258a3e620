import type { FailureKind } from '@sightline/contract/platform/operator.ts';
import { type Publication, type Subscription, subscribeTo, topic } from './topics.ts';

/** An operator requested a retry of an import or a delivery whose last attempt failed. */
export const failureRetryRequested = topic<{ kind: FailureKind; id: string }>('core.failure-retry-requested');

/**
 * Subscribes the retry of one kind of failure. `retry` makes the work due now, and throws 404 if nothing failed under
 * this ID, or 409 if it cannot be retried.
 */
export const retryFailuresOf = (
  kind: FailureKind,
  subscriber: Subscription['subscriber'],
  retry: (publication: Publication, id: string) => Promise<unknown>,
): Subscription =>
  subscribeTo(failureRetryRequested, subscriber, async (publication, failure) => {
    if (failure.kind === kind) await retry(publication, failure.id);
  });
