import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findProject } from './access.ts';
import type { GitlabInstance } from './instance.ts';
import { mergeRequestPayload } from './payloads.ts';
import { notFound, refuse } from './refusal.ts';
import type { StatusCheck } from './status-check.ts';

type StatusCheckAnswer = { sha?: string; external_status_check_id?: number; status?: string };

/** The endpoint for responses of external services. */
export const statusCheckRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.post<{ Params: { iid: string }; Body: StatusCheckAnswer | undefined }>(
    '/projects/:id/merge_requests/:iid/status_check_responses',
    async (request, reply) => {
      const repository = findProject(instance, request, 'api');
      const pull = repository.git.pullRequests.find(({ number }) => String(number) === request.params.iid);
      if (pull === undefined) throw notFound('Merge Request');
      const { sha, external_status_check_id: id, status = 'passed' } = request.body ?? {};
      // A check of another project is not found.
      const check = instance.statusChecks.find((one) => one.id === id && one.projectId === repository.id);
      if (check === undefined) throw notFound('External Status Check');
      if (!['passed', 'failed', 'pending'].includes(status)) throw refuse(400, 'status does not have a valid value');
      if (sha !== pull.headSha) throw refuse(409, '409 Conflict: SHA does not match HEAD of source branch');
      check.answers.set(pull.number, { sha, status });
      const { name, url } = check;
      return reply.code(201).send({ id: check.id, name, project_id: repository.id, external_url: url, status });
    },
  );
};

/** Adds a check to a project, as maintainers do in its settings. */
export const addStatusCheck = (
  instance: GitlabInstance,
  { id: projectId }: HostedRepository,
  { name, url, secret }: Pick<StatusCheck, 'name' | 'url' | 'secret'>,
): StatusCheck => {
  const check = { id: 40 + instance.statusChecks.length, projectId, name, url, secret, answers: new Map() };
  instance.statusChecks.push(check);
  return check;
};

/** Queries all checks of a project for a merge request, and returns their responses. */
export const queryStatusChecks = (
  instance: GitlabInstance,
  repository: HostedRepository,
  pull: PullRequest,
): Promise<number[]> =>
  Promise.all(
    instance.statusChecks
      .filter(({ projectId }) => projectId === repository.id)
      .map(async ({ id, name, url, secret }) => {
        const body = JSON.stringify({
          ...mergeRequestPayload(instance, repository, { action: 'update', pull }),
          external_approval_rule: { id, name, external_url: url },
        });
        const signature = secret === null ? {} : { 'x-gitlab-signature': signatureOf(secret, body) };
        const headers = { 'content-type': 'application/json', 'user-agent': 'GitLab/18.0-sandbox', ...signature };
        return (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })).status;
      }),
  );

const signatureOf = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');
