import type { Push } from '../git/model.ts';
import type { PullRequest, PullRequestReview } from '../git/pull-request.ts';

/** How a host tells of what happened, by webhooks in its own form. Pull requests are given as they stood then. */
export type Voice = {
  /** `base`: what was below the old tip of the branch, of a new one what was anywhere; `known`: what was anywhere. */
  pushed: (moved: Push, before: { base: ReadonlySet<string>; known: ReadonlySet<string> }) => Promise<void>;
  opened: (pull: PullRequest) => Promise<void>;
  updated: (pull: PullRequest, moved: Push) => Promise<void>;
  merged: (pull: PullRequest) => Promise<void>;
  reviewed: (pull: PullRequest, review: PullRequestReview) => void;
  dismissed: (pull: PullRequest, review: PullRequestReview) => void;
  /** Ends when everything is delivered. */
  settled: () => Promise<unknown>;
};
