import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isArchived } from '#core/archived.ts';
import { Invalid } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import type { Services } from '#core/services.ts';
import { hmacCheck, type SignatureCheck } from '#core/signatures.ts';
import { signedRoute } from '#core/signed-route.ts';
import { maybeStatusCheckHook } from './queries.ts';
import { statusCheckRequested } from './topics.ts';

// The limit of GitLab.
const bodyLimit = 25 * 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const number = z.number().int().positive().safe();

/** The fields read from a status check request of GitLab. The merge request itself is read from the API. */
const requestBody = z.looseObject({
  object_kind: z.literal('merge_request'),
  project: z.looseObject({ id: number }),
  object_attributes: z.looseObject({ iid: number }),
  external_approval_rule: z.looseObject({ id: number }),
});

/**
 * Registers the URL for external status checks of GitLab. Not an endpoint of the contract: GitLab signs the raw body
 * with the secret of the organization in the URL. The result is sent later by the API of GitLab.
 */
export const statusCheckWebhookRoute = (app: FastifyInstance, services: Services): Promise<void> =>
  signedRoute(app, {
    path: '/api/webhooks/gitlab/status-check',
    contentTypes: ['application/json'],
    bodyLimit,
    async findSender(request) {
      const { hook } = request.query as { hook?: unknown };
      const asker =
        typeof hook === 'string' && uuid.test(hook) ? await maybeStatusCheckHook(services, hook) : undefined;
      const signature = asker && signatureOf(asker.secret, request);
      return asker && signature && { orgId: asker.orgId, signature };
    },
    async handle(_request, reply, { orgId }, body) {
      const parsed = requestBody.safeParse(parseJson(body.toString()));
      if (!parsed.success) throw Invalid('', 'is not a status check of a merge request');
      const { project, object_attributes: merge, external_approval_rule: check } = parsed.data;
      const subject = { projectId: String(project.id), number: merge.iid, checkId: String(check.id) };
      return reply.status(202).send({ accepted: await requestResult(services, orgId, subject) });
    },
  });

/** Requests the result of a status check. Returns false if the project is not enabled. */
const requestResult = (
  services: Services,
  orgId: string,
  { projectId, number, checkId }: { projectId: string; number: number; checkId: string },
): Promise<boolean> =>
  services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return false;
    // The IDs of a self-managed instance have its host after an @.
    const [repository] = await tx.query<{ id: string }>({
      name: 'status-checks.repository',
      text: `select id from repository where org_id = $1 and provider = 'gitlab' and tracked
             and split_part(provider_repo_id, '@', 1) = $2 order by id limit 1`,
      values: [orgId, projectId],
    });
    if (!repository) return false;
    const requested = { repositoryId: repository.id, number, checkId };
    await services.topics.publish({ services, tx, orgId }, statusCheckRequested, requested);
    return true;
  });

function signatureOf(secret: string, { headers }: FastifyRequest): SignatureCheck | undefined {
  const header = headers['x-gitlab-signature'];
  return typeof header === 'string' && /^[0-9a-f]{64}$/i.test(header)
    ? hmacCheck(secret, [Buffer.from(header, 'hex')])
    : undefined;
}
