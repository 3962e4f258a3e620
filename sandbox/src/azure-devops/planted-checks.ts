import type { CommitCheck } from '../git/model.ts';
import type { PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { iterationsOf } from './pulls.ts';

/** Required checks with such a name are builds; the others are statuses. */
export const isBuildName = (name: string): boolean => name.startsWith('Build ');

/** The planted results of a commit, with the pull request of which it is a version. */
export const plantedOn = (
  repository: HostedRepository,
  sha: string,
): { check: CommitCheck; pull: PullRequest | undefined }[] => {
  const checks = repository.git.planted.checks.filter((check) => check.sha === sha);
  if (checks.length === 0) return [];
  const pull = repository.git.pullRequests.find((one) =>
    iterationsOf(repository, one).some((version) => version.sha === sha),
  );
  return checks.map((check) => ({ check, pull }));
};
