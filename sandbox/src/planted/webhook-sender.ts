import type { Push } from '../git/model.ts';
import type { PullRequest, PullRequestReview } from '../git/pull-request.ts';

/** Sends webhooks in the format of a host. Pull requests are passed as of the time of the event. */
export type HostWebhookSender = {
  /**
   * SHAs from before the push: `base` reachable from the old tip, for a new branch from any ref; `known` from any ref.
   */
  pushed: (moved: Push, before: { base: ReadonlySet<string>; known: ReadonlySet<string> }) => Promise<void>;
  opened: (pull: PullRequest) => Promise<void>;
  updated: (pull: PullRequest, moved: Push) => Promise<void>;
  merged: (pull: PullRequest) => Promise<void>;
  reviewed: (pull: PullRequest, review: PullRequestReview) => void;
  dismissed: (pull: PullRequest, review: PullRequestReview) => void;
  /** Resolves when everything is delivered. */
  settled: () => Promise<unknown>;
};
