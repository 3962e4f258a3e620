import { type Commits, firstParents, isAncestor, reachable, walk } from './graph.ts';
import type { Commit } from './log.ts';
import type { Person, PullRequest, PullRequestDraft, PullRequestReview } from './pull-request.ts';
import { numberPullRequests } from './pull-request-numbers.ts';

type History = { commits: Commits; refs: ReadonlyMap<string, string>; defaultBranch: string; known: PullRequest[] };

/**
 * Infers the pull requests of a repository: one for each two-parent merge and "(#N)" squash on the default branch, and
 * an open one for each other branch that is ahead. Pull requests in `known` keep their numbers. An open one whose
 * branch was deleted is closed.
 */
export const inferPullRequests = ({ commits, refs, defaultBranch, known }: History): PullRequest[] => {
  const tip = refs.get(`refs/heads/${defaultBranch}`);
  if (tip === undefined) return known;
  const merged = mergedPullRequests(commits, tip, known);
  const taken = new Set(merged.map((draft) => draft.key));
  const open = openPullRequests(commits, refs, defaultBranch, tip).filter((draft) => !taken.has(draft.key));
  const numbered = numberPullRequests([...merged, ...open], known);
  const found = new Set(numbered.map((pull) => pull.number));
  const closedPulls = known.filter((pull) => !found.has(pull.number)).map((pull) => close(pull, commits, tip));
  return [...numbered, ...closedPulls].sort((one, other) => one.number - other.number);
};

/** The approvals in force. */
export const approvalsOf = ({ reviews }: PullRequest): PullRequestReview[] =>
  reviews.filter(({ verdict, dismissed }) => verdict === 'approved' && dismissed === null);

const mergedPullRequests = (commits: Commits, tip: string, known: PullRequest[]): PullRequestDraft[] => {
  const drafts: PullRequestDraft[] = [];
  const seen = new Set<string>();
  for (const commit of firstParents(commits, tip)) {
    const side = walk(commits, commit.parents.slice(1), (sha) => seen.has(sha)).reverse();
    for (const { sha } of side) seen.add(sha);
    seen.add(commit.sha);
    if (commit.parents.length === 2) drafts.push(fromMerge(commit, side));
    else if (commit.parents.length === 1 && squash.test(subjectOf(commit))) drafts.push(fromSquash(commit, known));
  }
  return drafts;
};

const squash = /^(.*?)\s*\(#(\d{1,9})\)$/;

const fromMerge = (merge: Commit, side: Commit[]): PullRequestDraft => {
  const [subject = '', ...rest] = merge.message.split('\n');
  const pull = /^Merge pull request #(\d{1,9}) from ([^/\s]+)\/(\S+)/.exec(subject);
  const branch = /^Merge (?:remote-tracking )?branch '([^']+)'/.exec(subject);
  const headRef = pull?.[3] ?? branch?.[1]?.replace(/^origin\//, '') ?? `merge-${merge.sha.slice(0, 7)}`;
  const text = rest.join('\n').trim();
  const [firstLine = '', ...others] = text.split('\n');
  const first = side[0] ?? merge;
  const createdAt = Math.min(first.author.at, merge.committer.at);
  return {
    key: first.sha,
    ...(pull === null ? {} : { number: Number(pull[1]) }),
    title: firstLine === '' ? titleOf(headRef, side) : firstLine,
    body: others.join('\n').trim() || null,
    headOwner: pull?.[2],
    headRef,
    headSha: merge.parents[1] ?? merge.sha,
    baseSha: merge.parents[0] ?? merge.sha,
    commits: side.map((commit) => commit.sha),
    author: person(first.author),
    createdAt,
    ...mergedBy(merge),
    ...unplantedFields(),
    reviews: reviewsOf([...side, merge], createdAt, merge.committer.at, merge.parents[1] ?? merge.sha),
  };
};

const fromSquash = (commit: Commit, known: PullRequest[]): PullRequestDraft => {
  const [, title = '', number] = squash.exec(subjectOf(commit)) ?? [];
  const body = commit.message.split('\n').slice(1).join('\n').trim() || null;
  const branch = known.find((pull) => pull.number === Number(number) && pull.mergeSha !== commit.sha);
  const createdAt = Math.min(commit.author.at, commit.committer.at);
  return {
    key: branch?.key ?? commit.sha,
    number: Number(number),
    title,
    body,
    headOwner: undefined,
    headRef: branch?.headRef ?? `patch-${number}`,
    headSha: branch?.headSha ?? commit.sha,
    baseSha: commit.parents[0] ?? commit.sha,
    commits: branch?.commits ?? [commit.sha],
    author: branch?.author ?? person(commit.author),
    createdAt: branch?.createdAt ?? createdAt,
    ...mergedBy(commit),
    ...unplantedFields(),
    reviews: reviewsOf([commit], createdAt, commit.committer.at, branch?.headSha ?? commit.sha),
  };
};

const openPullRequests = (
  commits: Commits,
  refs: ReadonlyMap<string, string>,
  defaultBranch: string,
  tip: string,
): PullRequestDraft[] => {
  const onMain = reachable(commits, [tip]);
  return [...refs].flatMap(([ref, sha]) => {
    const name = ref.slice('refs/heads/'.length);
    if (!ref.startsWith('refs/heads/') || name === defaultBranch || onMain.has(sha)) return [];
    const side = walk(commits, [sha], (candidate) => onMain.has(candidate)).reverse();
    const [first, last] = [side[0], side.at(-1)];
    if (first === undefined || last === undefined) return [];
    const updatedAt = Math.max(first.author.at, last.committer.at);
    return {
      key: first.sha,
      title: titleOf(name, side),
      body: null,
      state: 'open' as const,
      headOwner: undefined,
      headRef: name,
      headSha: sha,
      baseSha: tip,
      commits: side.map((commit) => commit.sha),
      author: person(first.author),
      createdAt: first.author.at,
      updatedAt,
      closedAt: null,
      mergedAt: null,
      mergedBy: null,
      mergeSha: null,
      ...unplantedFields(),
      reviews: reviewsOf(side, first.author.at, updatedAt, sha),
    };
  });
};

// A branch that is deleted, or moved onto the default branch without a merge commit, closes its pull request.
const close = (pull: PullRequest, commits: Commits, tip: string): PullRequest => {
  if (pull.state === 'closed') return pull;
  const now = Date.now();
  const closed = { ...pull, state: 'closed' as const, closedAt: now, updatedAt: now };
  if (!isAncestor(commits, pull.headSha, tip)) return closed;
  const last = commits.get(pull.headSha);
  const by = last === undefined ? pull.author : person(last.committer);
  return { ...closed, mergedAt: now, mergedBy: by, mergeSha: pull.headSha };
};

const mergedBy = (merge: Commit) => {
  // Merges in GitHub's web interface have GitHub as committer and the user as author.
  const by = person(merge.committer.email === 'noreply@github.com' ? merge.author : merge.committer);
  const at = merge.committer.at;
  return { state: 'closed' as const, updatedAt: at, closedAt: at, mergedAt: at, mergedBy: by, mergeSha: merge.sha };
};

/** Data that git does not contain. */
const unplantedFields = () => ({ landed: [], labels: [], linkedIssues: [], autoMerge: null, queued: null });

const reviewsOf = (commits: Commit[], from: number, until: number, headSha: string): PullRequestReview[] => {
  const reviews = new Map<string, PullRequestReview>();
  for (const commit of commits) {
    for (const [, name = '', email = ''] of commit.message.matchAll(approval)) {
      const at = Math.max(from, Math.min(commit.committer.at, until));
      if (reviews.has(email)) continue;
      const given = { at, commit: headSha, verdict: 'approved' as const, dismissed: null };
      reviews.set(email, { key: email, reviewer: { name, email }, ...given });
    }
  }
  return [...reviews.values()];
};

const approval = /^(?:Reviewed|Approved|Acked)-by:[ \t]*(.+?)[ \t]*<([^>\s]+)>[ \t]*$/gim;

const titleOf = (branch: string, side: Commit[]): string => {
  const only = side.length === 1 ? side[0] : undefined;
  const words = branch.replaceAll(/[-_]+/g, ' ').trim();
  return only === undefined ? words.charAt(0).toUpperCase() + words.slice(1) : subjectOf(only);
};

const subjectOf = (commit: Commit): string => commit.message.split('\n', 1)[0] ?? '';

const person = ({ name, email }: Person): Person => ({ name, email });
