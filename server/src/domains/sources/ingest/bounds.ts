import type {
  HostChanges,
  HostCommit,
  HostPerson,
  HostPullRequest,
  HostReview,
  HostUser,
} from '../../../providers/host-facts.ts';

const [longText, shortText, path] = [100_000, 1_000, 4_096];
const MAX_FILES = 10_000;
const MAX_LABELS = 100;
// A clock may be some hours ahead.
const MAX_CLOCK_SKEW_MS = 24 * 60 * 60_000;

/** Limits the texts of a commit to be stored, and replaces times in the future. */
export function boundCommit(commit: HostCommit): HostCommit {
  const { message, author, committer, authoredAt, committedAt, parents, changes } = commit;
  const now = new Date();
  const past = (at: string, other: string) => (isPast(at, now) ? at : isPast(other, now) ? other : now.toISOString());
  return {
    sha: cut(commit.sha, shortText),
    message: cut(message, longText),
    author: boundPerson(author),
    authoredAt: past(authoredAt, committedAt),
    committer: boundPerson(committer),
    committedAt: past(committedAt, authoredAt),
    parents: parents?.map((sha) => cut(sha, shortText)) ?? null,
    ...(changes && { changes: boundChanges(changes) }),
  };
}

export const boundChanges = (changes: HostChanges): HostChanges => ({
  ...changes,
  files: changes.files.slice(0, MAX_FILES).map((file) => ({ ...file, path: cut(file.path, path) })),
});

export function boundPullRequest(pullRequest: HostPullRequest): HostPullRequest {
  const { author, mergedBy, closedBy, labels, mergedAt, closedAt } = pullRequest;
  const texts = ['baseRef', 'headRef', 'headSha', 'title', 'url'] as const;
  return {
    ...pullRequest,
    ...Object.fromEntries(texts.map((name) => [name, cut(pullRequest[name], shortText)])),
    author: boundUser(author),
    mergedBy: mergedBy && boundUser(mergedBy),
    closedBy: closedBy && boundUser(closedBy),
    createdAt: pastOf(pullRequest.createdAt),
    updatedAt: pastOf(pullRequest.updatedAt),
    mergedAt: mergedAt && pastOf(mergedAt),
    closedAt: closedAt && pastOf(closedAt),
    ...(pullRequest.body !== undefined && { body: cut(pullRequest.body, longText) }),
    ...(labels && { labels: labels.slice(0, MAX_LABELS).map((label) => cut(label, shortText)) }),
  };
}

export const boundReview = (review: HostReview): HostReview => ({
  ...review,
  id: cut(review.id, shortText),
  user: boundUser(review.user),
  sha: review.sha && cut(review.sha, shortText),
  submittedAt: pastOf(review.submittedAt),
});

const boundPerson = (person: HostPerson): HostPerson => ({
  ...person,
  name: cut(person.name, shortText),
  email: cut(person.email, shortText),
  login: person.login && cut(person.login, shortText),
});

const boundUser = (user: HostUser): HostUser => ({ ...user, login: cut(user.login, shortText) });

const cut = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).toWellFormed() : text;

const isPast = (at: string, now: Date): boolean => Date.parse(at) <= now.getTime() + MAX_CLOCK_SKEW_MS;

const pastOf = (at: string): string => (isPast(at, new Date()) ? at : new Date().toISOString());
