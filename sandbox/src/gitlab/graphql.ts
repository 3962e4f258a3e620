import type { FastifyInstance } from 'fastify';
import { changesOf, resolveCommit, unlessMissing } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { countLines } from '../github/responses/commit.ts';
import { maybePullRequestFiles } from '../github/responses/pull-request.ts';
import { accessOf } from './access.ts';
import { type GitlabInstance, pathOf } from './instance.ts';

type GraphqlRequest = { query?: string; variables?: Record<string, string> & { iids?: string[] } };

/**
 * The supported GraphQL queries: accounts of commit authors (`tree(ref: $x)` and its last commit), and totals of one or of
 * several merge requests. The variable `path` is the path of the project.
 */
export const graphqlRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.post<{ Body: GraphqlRequest }>('/graphql', async (request) => {
    const { repositories } = accessOf(instance, request);
    const { query = '', variables = {} } = request.body;
    const requestedPath = variables.path?.toLowerCase();
    const project = repositories.find((repository) => pathOf(repository).toLowerCase() === requestedPath);
    if (project === undefined) return { data: { project: null } };
    if (query.includes('mergeRequest(')) {
      return { data: { project: { mergeRequest: await mergeRequestObject(project, variables.iid) } } };
    }
    if (query.includes('mergeRequests(')) {
      const found = await Promise.all((variables.iids ?? []).map((iid) => mergeRequestObject(project, iid)));
      return { data: { project: { mergeRequests: { nodes: found.filter((one) => one !== null) } } } };
    }
    const repository: Record<string, unknown> = {};
    for (const [, alias = '', variable = ''] of query.matchAll(/(\w+):\s*tree\(\s*ref:\s*\$(\w+)\s*\)/g)) {
      repository[alias] = await treeObject(instance, project, variables[variable] ?? '');
    }
    return { data: { project: { repository } } };
  });
};

const mergeRequestObject = async (project: HostedRepository, iid: string | undefined) => {
  const pull = project.git.pullRequests.find(({ number }) => String(number) === iid);
  if (pull === undefined) return null;
  const files = await maybePullRequestFiles(project, pull);
  const diffStatsSummary = files === undefined ? null : { ...countLines(files), fileCount: files.length };
  const diffRefs = { baseSha: pull.baseSha, headSha: pull.headSha, startSha: pull.baseSha };
  return { iid, commitCount: pull.commits.length, diffStatsSummary, diffRefs };
};

const treeObject = async (instance: GitlabInstance, { git }: HostedRepository, ref: string) => {
  const commit = resolveCommit(git, ref);
  if (commit === undefined) return null;
  // The last commit of a tree is the last one that changed a file, which an empty commit does not.
  const isEmpty = (await unlessMissing(changesOf(git, commit.sha)))?.length === 0;
  const last = isEmpty ? git.commits.get(commit.parents[0] ?? '') : commit;
  if (last === undefined) return { lastCommit: null };
  const user = userOf(instance.host.users, last.author);
  const author = user && {
    id: `gid://gitlab/User/${user.id}`,
    username: user.login,
    avatarUrl: `/avatars/u/${user.id}?v=4`,
  };
  return { lastCommit: { sha: last.sha, author: author ?? null } };
};
