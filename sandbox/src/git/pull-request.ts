/** A pull request without an assigned number. */
export type PullRequestDraft = Omit<PullRequest, 'number'> & { number?: number };

/**
 * A pull request derived from git. Times are epoch milliseconds; `commits` are SHAs, oldest first. `landed` are its
 * commits on the default branch, if it was not merged by one merge commit.
 */
export type PullRequest = {
  key: string; // the first commit of the branch, which is stable while the branch grows and after the merge
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
  /** The person who enabled auto-merge, and the person who added it to the merge queue. */
  autoMerge: ReviewRequest | null;
  queued: ReviewRequest | null;
};

export type Person = { name: string; email: string };

/** `key` distinguishes reviews of the same reviewer. A dismissed review is kept. */
export type PullRequestReview = {
  key: string;
  reviewer: Person;
  at: number;
  commit: string;
  verdict: 'approved' | 'changes_requested' | 'commented';
  dismissed: { at: number; by: Person } | null;
};

/** The person and time of a request. */
export type ReviewRequest = { by: Person; at: number };
