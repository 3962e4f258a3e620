import type { FastifyInstance } from 'fastify';
import type { CommitCheck } from '../git/model.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findProject } from './access.ts';
import { addressOf, type CommitStatus, type GitlabInstance, pathOf } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { timeText } from './responses.ts';

/** A pipeline. `base` is its planted job, null if it exists only for commit statuses. */
export type Pipeline = {
  sha: string;
  startedAt: number;
  finishedAt: number | null;
  status: string;
  base: { name: string; status: string; finishedAt: number | null } | null;
};

/** Pipelines: one for each planted check run, regardless of its name. Commit statuses join the newest one. */
export const pipelineRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.get<{ Querystring: { sha?: string } }>('/projects/:id/pipelines', async (request, reply) => {
    const repository = findProject(instance, request);
    const pipelines = pipelinesOn(instance, repository, request.query.sha);
    return paginate(request, reply, pipelines).map((one) => pipelineJson(instance, repository, one));
  });
  server.get<{ Params: { pipeline: string } }>('/projects/:id/pipelines/:pipeline', async (request) => {
    const repository = findProject(instance, request);
    const pipeline = pipelinesOn(instance, repository).find(
      (one) => String(pipelineIdOf(repository, one)) === request.params.pipeline,
    );
    if (pipeline === undefined) throw notFound('Pipeline');
    return {
      ...pipelineJson(instance, repository, pipeline),
      before_sha: '0'.repeat(40),
      tag: false,
      yaml_errors: null,
      duration: 1,
      coverage: null,
      started_at: timeText(pipeline.startedAt),
      finished_at: pipeline.finishedAt === null ? null : timeText(pipeline.finishedAt),
    };
  });
};

/** Newest first. */
export const pipelinesOn = (instance: GitlabInstance, repository: HostedRepository, sha?: string): Pipeline[] => {
  const { checks } = repository.git.planted;
  const ran = checks
    .filter((check) => !check.isStatus && (sha === undefined || check.sha === sha))
    .sort((one, other) => other.startedAt - one.startedAt)
    .map(pipelineOfCheck);
  const shas = new Set([
    ...instance.said.filter(({ projectId }) => projectId === repository.id).map((status) => status.sha),
    ...checks.filter(({ isStatus }) => isStatus).map((check) => check.sha),
  ]);
  for (const of of shas) {
    if (sha !== undefined && of !== sha) continue;
    const statuses = commitStatusesOf(instance, repository, of);
    const joined = ran.find((pipeline) => pipeline.sha === of);
    if (joined) Object.assign(joined, combinePipeline(joined, statuses));
    else ran.push(combinePipeline(undefined, statuses));
  }
  return ran;
};

/** The commit statuses of a commit, newest first. */
export const commitStatusesOf = (
  { said }: GitlabInstance,
  { id, git }: HostedRepository,
  sha: string,
): CommitStatus[] => {
  const planted = git.planted.checks.filter((check) => check.isStatus && check.sha === sha);
  const known = planted.map((check): CommitStatus => {
    const { name, startedAt, completedAt } = check;
    const about = { id: stableId(`status:${id}:${sha}:${name}:${startedAt}`), projectId: id, sha, name };
    return { ...about, state: statusOf(check), description: null, url: null, at: completedAt ?? startedAt };
  });
  return [...known, ...said.filter((one) => one.projectId === id && one.sha === sha)].toReversed();
};

const pipelineOfCheck = (check: CommitCheck): Pipeline => {
  const [status, finishedAt] = [statusOf(check), check.completedAt];
  const { name, sha, startedAt } = check;
  return { sha, startedAt, finishedAt, status, base: { name, status, finishedAt } };
};

/** A pipeline combined with commit statuses: it fails if one failed, and is pending if one is pending. */
const combinePipeline = (ran: Pipeline | undefined, statuses: readonly CommitStatus[]): Pipeline => {
  const last = [...new Map(statuses.toReversed().map((one) => [one.name, one] as const)).values()];
  const all = [...(ran ? [ran.status] : []), ...last.map(({ state }) => state)];
  const status = ['failed', 'canceled', 'running', 'pending'].find((one) => all.includes(one)) ?? 'success';
  const isOver = status !== 'running' && status !== 'pending';
  const times = [...last.map(({ at }) => at), ...(ran?.finishedAt ? [ran.finishedAt] : [])];
  return {
    sha: ran?.sha ?? last[0]?.sha ?? '',
    startedAt: ran?.startedAt ?? Math.min(...times),
    status,
    finishedAt: isOver ? Math.max(...times) : null,
    base: ran?.base ?? null,
  };
};

export const pipelineJson = (instance: GitlabInstance, repository: HostedRepository, pipeline: Pipeline) => {
  const id = pipelineIdOf(repository, pipeline);
  const { sha, status, base, startedAt, finishedAt } = pipeline;
  return {
    id,
    iid: id,
    project_id: repository.id,
    sha,
    status,
    source: base === null ? 'external' : 'push',
    ref: refOf(repository, sha),
    created_at: timeText(startedAt),
    updated_at: timeText(finishedAt ?? startedAt),
    web_url: `${addressOf(instance)}/${pathOf(repository)}/-/pipelines/${id}`,
  };
};

const refOf = ({ git }: HostedRepository, sha: string): string =>
  git.pullRequests.find(({ headSha, commits }) => headSha === sha || commits.includes(sha))?.headRef ??
  git.defaultBranch;

const statusOf = ({ completedAt, conclusion }: CommitCheck): string => {
  if (completedAt === null) return 'running';
  if (conclusion === 'success' || conclusion === 'skipped') return conclusion;
  return conclusion === 'cancelled' ? 'canceled' : 'failed';
};

export const pipelineIdOf = ({ id }: HostedRepository, { sha, base, startedAt }: Pipeline): number =>
  stableId(base ? `pipeline:${id}:${sha}:${base.name}:${startedAt}` : `pipeline:${id}:${sha}`);
