/** A pull request whose number may still have to be found. */
export type PullRequestDraft = Omit<PullRequest, 'number'> & { number?: number };

/**
 * A proposed change as git remembers it. Times are epoch milliseconds; `commits` are shas, oldest first. `landed` are those it
 * became on the default branch where that is not by one merge commit.
 */
export type PullRequest = {
  key: string; // the first commit of the branch: it stays the same while the branch grows and when it is merged
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  headOwner: string | undefined;
  headRef: string;
  headSha: string;
  baseSha: string;
  commits: string[];
  author: Person;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  mergedAt: number | null;
  mergedBy: Person | null;
  mergeSha: string | null;
  landed: string[];
  reviews: PullRequestReview[];
  labels: string[];
  linkedIssues: number[];
  /** Who had it merged once it is ready, and who put it into the merge queue. */
  autoMerge: ReviewRequest | null;
  queued: ReviewRequest | null;
};

export type Person = { name: string; email: string };

/** `key` tells it from others of the same reviewer. A dismissal ends a review and does not take it away. */
export type PullRequestReview = {
  key: string;
  reviewer: Person;
  at: number;
  commit: string;
  verdict: 'approved' | 'changes_requested' | 'commented';
  dismissed: { at: number; by: Person } | null;
};

/** Somebody who asked for something, and when. */
export type ReviewRequest = { by: Person; at: number };
