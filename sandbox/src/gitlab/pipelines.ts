import type { FastifyInstance } from 'fastify';
import type { Check } from '../git/planted.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/host.ts';
import { findProject } from './access.ts';
import { addressOf, type Instance, pathOf } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { timeShape } from './shapes.ts';

/** Pipelines: one for every check run that was planted, whatever its name. */
export const pipelineRoutes = (server: FastifyInstance, instance: Instance): void => {
  server.get<{ Querystring: { sha?: string } }>('/projects/:id/pipelines', async (request, reply) => {
    const repository = findProject(instance, request);
    const pipelines = pipelinesOn(repository, request.query.sha);
    return paginate(request, reply, pipelines).map((check) => pipelineShape(instance, repository, check));
  });
  server.get<{ Params: { pipeline: string } }>('/projects/:id/pipelines/:pipeline', async (request) => {
    const repository = findProject(instance, request);
    const check = pipelinesOn(repository).find((one) => String(idOf(repository, one)) === request.params.pipeline);
    if (check === undefined) throw notFound('Pipeline');
    return {
      ...pipelineShape(instance, repository, check),
      ...{ before_sha: '0'.repeat(40), tag: false, yaml_errors: null, duration: 1, coverage: null },
      started_at: timeShape(check.startedAt),
      finished_at: check.completedAt === null ? null : timeShape(check.completedAt),
    };
  });
};

/** The newest first. */
export const pipelinesOn = ({ git }: HostedRepository, sha?: string): Check[] =>
  git.planted.checks
    .filter((check) => !check.isStatus && (sha === undefined || check.sha === sha))
    .sort((one, other) => other.startedAt - one.startedAt);

export const pipelineShape = (instance: Instance, repository: HostedRepository, check: Check) => {
  const id = idOf(repository, check);
  return {
    ...{ id, iid: id, project_id: repository.id, sha: check.sha, status: statusOf(check), source: 'push' },
    ref: refOf(repository, check.sha),
    created_at: timeShape(check.startedAt),
    updated_at: timeShape(check.completedAt ?? check.startedAt),
    web_url: `${addressOf(instance)}/${pathOf(repository)}/-/pipelines/${id}`,
  };
};

const refOf = ({ git }: HostedRepository, sha: string): string =>
  git.pullRequests.find(({ headSha, commits }) => headSha === sha || commits.includes(sha))?.headRef ??
  git.defaultBranch;

const statusOf = ({ completedAt, conclusion }: Check): string => {
  if (completedAt === null) return 'running';
  if (conclusion === 'success' || conclusion === 'skipped') return conclusion;
  return conclusion === 'cancelled' ? 'canceled' : 'failed';
};

const idOf = ({ id }: HostedRepository, { sha, name, startedAt }: Check): number =>
  stableId(`pipeline:${id}:${sha}:${name}:${startedAt}`);
