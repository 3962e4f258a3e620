import type { FastifyInstance } from 'fastify';
import { commitsTouching } from '../git/files.ts';
import { ahead, mergeBase, reachable } from '../git/graph.ts';
import type { Commit, Signature } from '../git/log.ts';
import type { Repository } from '../git/model.ts';
import { readDifferencePatches } from '../git/patches.ts';
import { changesOf, differenceOf, headOf, historyOf, resolveCommit } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import { checkRunsOf, combinedStatusOf, statusesOf } from './commit-checks.ts';
import { fullName, type Host } from './host.ts';
import { paginate } from './paging.ts';
import { setStatus } from './plant.ts';
import { notFound, refuse } from './refusal.ts';
import { commitJson, fileJson, statsJson } from './responses/commit.ts';
import { pullRequestJson } from './responses/pull-request.ts';
import { findRepository } from './tokens.ts';

type CommitPathRoute = { Params: { '*': string } };
type CommitStatusBody = { state: string; context?: string };
type CommitFilter = {
  sha?: string;
  path?: string;
  author?: string;
  committer?: string;
  since?: string;
  until?: string;
};

/** Lists of commits, single commits with their files, and comparisons. */
export const commitRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Querystring: CommitFilter }>('/repos/:owner/:repo/commits', async (request, reply) => {
    const repository = findRepository(host, request);
    if (headOf(repository.git) === undefined) throw refuse(409, 'Git Repository is empty.');
    const commits = await selectCommits(host, repository.git, request.query);
    return paginate(request, reply, commits).map((commit) => commitJson(host, repository, commit));
  });
  server.post<{ Params: { sha: string }; Body: CommitStatusBody }>(
    '/repos/:owner/:repo/statuses/:sha',
    async (request, reply) => {
      const repository = findRepository(host, request);
      const commit = resolveCommit(repository.git, request.params.sha);
      const { state, context = 'default' } = request.body;
      if (commit === undefined || !['error', 'failure', 'pending', 'success'].includes(state)) {
        throw refuse(422, 'Validation Failed');
      }
      return reply.code(201).send(setStatus(host, { repository, sha: commit.sha, name: context, state }));
    },
  );
  server.get<CommitPathRoute>('/repos/:owner/:repo/commits/*', async (request, reply) => {
    const repository = findRepository(host, request);
    const [, ref = '', part] = /^(.*?)(\/(?:pulls|check-runs|status|statuses))?$/.exec(request.params['*']) ?? [];
    const commit = resolveCommit(repository.git, ref);
    if (commit === undefined) throw refuse(422, `No commit found for SHA: ${ref}`);
    if (part === '/check-runs') return checkRunsOf(host, { repository, sha: commit.sha, request, reply });
    if (part === '/statuses') return statusesOf(host, { repository, sha: commit.sha, request, reply });
    if (part === '/status') return combinedStatusOf(host, { repository, sha: commit.sha, request, reply });
    if (part !== undefined) {
      const pulls = repository.git.pullRequests.filter(
        ({ mergeSha, landed, commits }) =>
          mergeSha === commit.sha || landed.includes(commit.sha) || commits.includes(commit.sha),
      );
      return paginate(request, reply, pulls).map((pull) => pullRequestJson(host, repository, pull));
    }
    const files = await changesOf(repository.git, commit.sha);
    const page = paginate(request, reply, files.slice(0, mostFiles), { perPage: filesPerPage, most: filesPerPage });
    return {
      ...commitJson(host, repository, commit),
      stats: statsJson(files),
      files: page.map((file) => fileJson(host, repository, commit.sha, file)),
    };
  });
  server.get<CommitPathRoute & { Querystring: { page?: string } }>(
    '/repos/:owner/:repo/compare/*',
    async (request, reply) => {
      const repository = findRepository(host, request);
      const { git } = repository;
      const [base, head] = request.params['*']
        .split('...')
        .map((name) => resolveCommit(git, name.replace(/^[^/:]+:/, '')));
      const common = base && head && mergeBase(git.commits, base.sha, head.sha);
      if (base === undefined || head === undefined || common === undefined) throw notFound();
      const [before, behind] = [
        ahead(git.commits, head.sha, reachable(git.commits, [base.sha])).reverse(),
        ahead(git.commits, base.sha, reachable(git.commits, [head.sha])),
      ];
      const page = paginate(request, reply, before, { perPage: 250, most: 250 });
      const files = (request.query.page ?? '1') === '1' ? await differenceOf(git, base.sha, head.sha) : [];
      const patches = files.length > 0 ? await readDifferencePatches(git.path, common.sha, head.sha) : [];
      const path = `compare/${request.params['*']}`;
      const [self, html] = [
        `${host.api}/repos/${fullName(repository)}/${path}`,
        `${host.url}/${fullName(repository)}/${path}`,
      ];
      return {
        url: self,
        html_url: html,
        permalink_url: html,
        diff_url: `${html}.diff`,
        patch_url: `${html}.patch`,
        base_commit: commitJson(host, repository, base),
        merge_base_commit: commitJson(host, repository, common),
        status: statusOf(before.length, behind.length),
        ahead_by: before.length,
        behind_by: behind.length,
        total_commits: before.length,
        commits: page.map((commit) => commitJson(host, repository, commit)),
        files: files.slice(0, filesPerPage).map((file, index) => ({
          ...fileJson(host, repository, head.sha, file),
          ...(patches[index]?.startsWith('@@') && { patch: patches[index] }),
        })),
      };
    },
  );
};

const filesPerPage = 300;
const mostFiles = 3000;

const selectCommits = async (host: Host, git: Repository, filter: CommitFilter): Promise<Commit[]> => {
  const tip = resolveCommit(git, filter.sha ?? 'HEAD');
  if (tip === undefined) throw notFound();
  const [since, until] = [instant(filter.since, 0), instant(filter.until, Number.POSITIVE_INFINITY)];
  const touching = filter.path ? new Set(await commitsTouching(git.path, tip.sha, filter.path)) : undefined;
  return historyOf(git, tip.sha).filter(
    (commit) =>
      commit.committer.at >= since &&
      commit.committer.at <= until &&
      (touching === undefined || touching.has(commit.sha)) &&
      isAuthoredBy(host, commit.author, filter.author) &&
      isAuthoredBy(host, commit.committer, filter.committer),
  );
};

const isAuthoredBy = (host: Host, person: Signature, author: string | undefined): boolean =>
  author === undefined ||
  person.email.toLowerCase() === author.toLowerCase() ||
  userOf(host.users, person)?.login.toLowerCase() === author.toLowerCase();

const instant = (text: string | undefined, otherwise: number): number => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? otherwise : at;
};

const statusOf = (before: number, behind: number): string => {
  if (before === 0) return behind === 0 ? 'identical' : 'behind';
  return behind === 0 ? 'ahead' : 'diverged';
};
