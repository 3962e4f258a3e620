import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CommitCheck } from '../git/model.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { AzureDevops, AzureDevopsStatus } from './collection.ts';
import { named } from './commits.ts';
import { listJson } from './paging.ts';
import { isBuildName, plantedOn } from './planted-checks.ts';
import { findPull, iterationsOf } from './pulls.ts';
import { refuse } from './refusal.ts';
import { programJson, timeText } from './responses.ts';

type AzureDevopsStatusBody = {
  state?: string;
  description?: string;
  targetUrl?: string;
  context?: { name?: string; genre?: string };
  iterationId?: number;
};
type CommitStatusRoute = { Params: { sha: string }; Body: AzureDevopsStatusBody | undefined };

const base = '/:project/_apis/git/repositories/:repo';
const states = ['notSet', 'pending', 'succeeded', 'failed', 'error', 'notApplicable'];

/** Statuses of commits, and of versions of pull requests, which policies require. */
export const statusRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  const add = (
    repository: HostedRepository,
    body: AzureDevopsStatusBody | undefined,
    of: Pick<AzureDevopsStatus, 'sha' | 'pull'>,
  ) => {
    const { state = 'notSet', description = '', targetUrl = '', context, iterationId = null } = body ?? {};
    if (!states.includes(state) || context?.name === undefined)
      throw refuse(400, 'ArgumentException', 'The status is invalid.');
    const status: AzureDevopsStatus = {
      id: azureDevops.said.length + 1,
      repositoryId: repository.id,
      ...of,
      iterationId,
      state,
      genre: context.genre ?? null,
      name: context.name,
      description,
      targetUrl,
      at: Date.now(),
    };
    azureDevops.said.push(status);
    return statusJson(status);
  };
  server.get<CommitStatusRoute>(`${base}/commits/:sha/statuses`, async (request) => {
    const repository = findRepository(azureDevops, request as FastifyRequest);
    const { sha } = named(repository.git, request.params.sha);
    const said = azureDevops.said.filter(
      (one) => one.repositoryId === repository.id && one.sha === sha && one.pull === null,
    );
    const planted = plantedOn(repository, sha).filter(({ pull }) => pull === undefined);
    return listJson([...planted.map(({ check }) => plantedJson(check, null)), ...said.map(statusJson)]);
  });
  server.post<CommitStatusRoute>(`${base}/commits/:sha/statuses`, async (request, reply) => {
    const repository = findRepository(azureDevops, request as FastifyRequest, 'code_write');
    const { sha } = named(repository.git, request.params.sha);
    return reply.code(201).send(add(repository, request.body, { sha, pull: null }));
  });
  server.get(`${base}/pullRequests/:number/statuses`, async (request) => {
    const { repository, pull } = findPull(azureDevops, request);
    const planted = iterationsOf(repository, pull).flatMap(({ id, sha }) =>
      plantedOn(repository, sha)
        .filter((one) => one.pull?.number === pull.number && !isBuildName(one.check.name))
        .map(({ check }) => plantedJson(check, id)),
    );
    const said = azureDevops.said.filter((one) => one.repositoryId === repository.id && one.pull === pull.number);
    return listJson([...planted, ...said.map(statusJson)]);
  });
  server.post<{ Body: AzureDevopsStatusBody | undefined }>(`${base}/pullRequests/:number/statuses`, async (request) => {
    const { repository, pull } = findPull(azureDevops, request as FastifyRequest, 'code_write');
    return add(repository, request.body, { sha: pull.headSha, pull: pull.number });
  });
};

const plantedStates: Readonly<Record<string, string>> = {
  success: 'succeeded',
  failure: 'failed',
  neutral: 'notApplicable',
};

const plantedJson = (check: CommitCheck, iterationId: number | null) => {
  const separator = check.name.lastIndexOf('/');
  return {
    state: check.completedAt === null ? 'pending' : (plantedStates[check.conclusion ?? ''] ?? 'error'),
    description: '',
    context: { name: check.name.slice(separator + 1), ...(separator > 0 && { genre: check.name.slice(0, separator) }) },
    creationDate: timeText(check.completedAt ?? check.startedAt),
    createdBy: programJson(check.isStatus ? undefined : check.app),
    ...(iterationId !== null && { iterationId }),
  };
};

const statusJson = ({ id, state, description, genre, name, targetUrl, at, iterationId }: AzureDevopsStatus) => ({
  id,
  state,
  description,
  context: { name, ...(genre !== null && { genre }) },
  creationDate: timeText(at),
  updatedDate: timeText(at),
  createdBy: programJson(undefined),
  targetUrl,
  ...(iterationId !== null && { iterationId }),
});
