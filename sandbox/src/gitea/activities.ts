import type { FastifyInstance } from 'fastify';
import { ahead, reachable } from '../git/graph.ts';
import type { Push } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import { stableId } from '../git/users.ts';
import { fullName } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { Gitea } from './instance.ts';
import { paginate } from './paging.ts';
import { ghostJson, personJson, repositoryJson, timeText } from './responses.ts';

/** The activity feed of a repository, newest first: pushes, and merges as events of their own. */
export const activityRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  server.get('/repos/:owner/:repo/activities/feeds', async (request, reply) => {
    const repository = findRepository(gitea, request);
    const activities = activitiesOf(repository);
    return paginate(gitea, request, reply, activities).map(({ type, by, at, ref, content }) => ({
      id: stableId(`gitea-activity:${repository.id}:${type}:${ref}:${at}`),
      user_id: repository.owner.id,
      op_type: type,
      act_user_id: 0,
      act_user: personJson(gitea, by) ?? ghostJson(gitea),
      repo_id: repository.id,
      repo: repositoryJson(gitea, repository),
      comment_id: 0,
      comment: null,
      ref_name: ref,
      is_private: true,
      content,
      created: timeText(at),
    }));
  });
};

type Activity = { type: string; by: Push['by']; at: number; ref: string; content: string };

const activitiesOf = (repository: HostedRepository): Activity[] =>
  pushesOf(repository.git)
    .toReversed()
    .flatMap((push): Activity[] => {
      const { ref, after, at, by, kind } = push;
      if (after === null) return [{ type: 'delete_branch', by, at, ref, content: '' }];
      const pushed = { type: 'commit_repo', by, at, ref, content: JSON.stringify(contentOf(repository, push)) };
      const pull = repository.git.pullRequests.find(({ mergeSha }) => mergeSha === after);
      const isMerge = (kind === 'pr_merge' || kind === 'merge_queue_merge') && pull !== undefined;
      const merged = { type: 'merge_pull_request', by, at, ref: '', content: `${pull?.number}|${pull?.title}` };
      return isMerge ? [merged, pushed] : [pushed];
    });

/** A new branch is compared from the parent of its oldest new commit. */
const contentOf = (repository: HostedRepository, { before, after }: Push) => {
  const { git } = repository;
  const main = git.refs.get(`refs/heads/${git.defaultBranch}`) ?? '';
  const pushed = ahead(git.commits, after ?? '', reachable(git.commits, [before ?? main]));
  const start = before ?? pushed.at(-1)?.parents[0];
  const shape = (sha: string) => {
    const commit = git.commits.get(sha);
    return {
      Sha1: sha,
      Message: commit?.message ?? '',
      AuthorEmail: commit?.author.email ?? '',
      AuthorName: commit?.author.name ?? '',
      CommitterEmail: commit?.committer.email ?? '',
      CommitterName: commit?.committer.name ?? '',
      Timestamp: commit?.author.date ?? '',
    };
  };
  return {
    Commits: pushed.slice(0, 5).map(({ sha }) => shape(sha)),
    HeadCommit: shape(after ?? ''),
    CompareURL: start === undefined ? '' : `${fullName(repository)}/compare/${start}...${after}`,
    Len: pushed.length,
  };
};
