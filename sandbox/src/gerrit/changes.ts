import type { Repository } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';

/** A patch set. `kind` as the host names the difference to the one before it. */
export type PatchSet = { number: number; sha: string; at: number; by: Person; kind: string };

/** A change that a pull request of the sandbox is here: one commit with its patch sets. */
export type GerritChange = {
  number: number;
  pull: PullRequest;
  /** Whether it is the last commit of the branch, which has the number of the pull request. */
  isHead: boolean;
  status: 'NEW' | 'MERGED' | 'ABANDONED';
  patchSets: PatchSet[];
  /** The commit that a submission created from the last reviewed patch set; undefined without one. */
  picked: string | undefined;
  /** Whether a direct push to the branch closed it. */
  isPushed: boolean;
};

// Changes below the head have numbers beyond those of pull requests.
const SERIES = 1_000_000;

/** The changes of a project, latest update first. */
export const changesOfProject = (git: Repository): GerritChange[] =>
  git.pullRequests
    .flatMap((pull) => pull.commits.map((sha, index) => changeOf(git, pull, sha, index)))
    .toSorted((one, other) => other.pull.updatedAt - one.pull.updatedAt || other.number - one.number);

const changeOf = (git: Repository, pull: PullRequest, sha: string, index: number): GerritChange => {
  const isHead = index === pull.commits.length - 1;
  const number = isHead ? pull.number : SERIES + pull.number * 100 + index;
  const landed = landedAs(git, pull, sha, index);
  const isMerged = pull.mergedAt !== null && landed !== null;
  const status = isMerged ? 'MERGED' : pull.state === 'closed' ? 'ABANDONED' : 'NEW';
  const reviewed = isHead ? patchSetsOf(git, pull) : [firstPatchSet(git, pull, sha)];
  const picked = isMerged && landed !== sha ? landed : undefined;
  const last = reviewed.at(-1);
  const submitted: PatchSet[] =
    picked === undefined || last === undefined
      ? []
      : [
          {
            number: last.number + 1,
            sha: picked,
            at: pull.mergedAt ?? 0,
            by: pull.mergedBy ?? pull.author,
            kind: 'TRIVIAL_REBASE',
          },
        ];
  const patchSets = [...reviewed, ...submitted];
  return { number, pull, isHead, status, patchSets, picked, isPushed: isMerged && isPushed(git, pull) };
};

const isPushed = (git: Repository, { mergeSha }: PullRequest): boolean =>
  pushesOf(git).some(
    ({ ref, after, kind }) => ref === `refs/heads/${git.defaultBranch}` && after === mergeSha && kind === 'push',
  );

/** The commit of the target branch that a commit became; null if a squash discarded it. */
const landedAs = (git: Repository, pull: PullRequest, sha: string, index: number): string | null => {
  const { landed, mergeSha, headSha, commits } = pull;
  const isSquashed = mergeSha !== null && mergeSha !== headSha && (git.commits.get(mergeSha)?.parents.length ?? 2) < 2;
  if (landed.length === 0 && !isSquashed) return sha;
  if (landed.length === commits.length) return landed[index] ?? sha;
  return index === commits.length - 1 ? mergeSha : null;
};

const firstPatchSet = (git: Repository, pull: PullRequest, sha: string): PatchSet => {
  const by = git.commits.get(sha)?.committer ?? pull.author;
  return { number: 1, sha, at: Math.max(pull.createdAt, git.commits.get(sha)?.committer.at ?? 0), by, kind: 'REWORK' };
};

/** The pushes to the branch since the pull request was opened, or its head. */
const patchSetsOf = (git: Repository, pull: PullRequest): PatchSet[] => {
  const pushes = pushesOf(git).filter(
    ({ ref, after, at }) =>
      ref === `refs/heads/${pull.headRef}` && after !== null && at <= (pull.mergedAt ?? Number.POSITIVE_INFINITY),
  );
  const tips = pushes.flatMap(({ after, at, by }) =>
    after === null ? [] : [{ sha: after, at, by: by ?? pull.author }],
  );
  const known = tips.some(({ sha }) => sha === pull.headSha)
    ? tips.slice(0, tips.findLastIndex(({ sha }) => sha === pull.headSha) + 1)
    : [...tips, firstPatchSet(git, pull, pull.headSha)];
  const distinct = known.filter(({ sha }, index) => known.findLastIndex((one) => one.sha === sha) === index);
  return distinct.map(({ sha, at, by }, index) => ({ number: index + 1, sha, at, by, kind: 'REWORK' }));
};
