import type { FastifyInstance } from 'fastify';
import { changesOf, resolveCommit, unlessMissing } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import { countLines } from '../github/shapes/commit.ts';
import { maybePullRequestFiles } from '../github/shapes/pull-request.ts';
import { accessOf } from './access.ts';
import { type GitlabInstance, pathOf } from './instance.ts';

type GraphqlRequest = { query?: string; variables?: Record<string, string> };

/**
 * The two questions of the other API that are answered: the accounts behind the authors of commits (`tree(ref: $x)` and its
 * last commit), and the sums of a merge request. The path of the project is the variable `path`.
 */
export const graphqlRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.post<{ Body: GraphqlRequest }>('/graphql', async (request) => {
    const { repositories } = accessOf(instance, request);
    const { query = '', variables = {} } = request.body;
    const asked = variables.path?.toLowerCase();
    const project = repositories.find((repository) => pathOf(repository).toLowerCase() === asked);
    if (project === undefined) return { data: { project: null } };
    const { git } = project;
    if (query.includes('mergeRequest(')) {
      const pull = git.pullRequests.find(({ number }) => String(number) === variables.iid);
      if (pull === undefined) return { data: { project: { mergeRequest: null } } };
      const files = await maybePullRequestFiles(project, pull);
      const diffStatsSummary = files === undefined ? null : { ...countLines(files), fileCount: files.length };
      return { data: { project: { mergeRequest: { commitCount: pull.commits.length, diffStatsSummary } } } };
    }
    const repository: Record<string, unknown> = {};
    for (const [, alias = '', variable = ''] of query.matchAll(/(\w+):\s*tree\(\s*ref:\s*\$(\w+)\s*\)/g)) {
      const commit = resolveCommit(git, variables[variable] ?? '');
      // An empty commit touched no file: the last that did is another one, as on the real host.
      const isEmpty = commit !== undefined && (await unlessMissing(changesOf(git, commit.sha)))?.length === 0;
      const last = isEmpty ? git.commits.get(commit.parents[0] ?? '') : commit;
      const user = last === undefined ? undefined : userOf(instance.host.users, last.author);
      const avatarUrl = user === undefined ? null : `/avatars/u/${user.id}?v=4`;
      const author =
        user === undefined ? null : { id: `gid://gitlab/User/${user.id}`, username: user.login, avatarUrl };
      repository[alias] =
        commit === undefined ? null : { lastCommit: last === undefined ? null : { sha: last.sha, author } };
    }
    return { data: { project: { repository } } };
  });
};
