import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isArchived } from '#core/archived.ts';
import { Invalid } from '#core/errors.ts';
import { jsonOf } from '#core/json.ts';
import type { Services } from '#core/services.ts';
import { hmacCheck, type SignatureCheck } from '#core/signatures.ts';
import { signedRoute } from '#core/signed-route.ts';
import { maybeAsker } from './queries.ts';
import { statusCheckRequested } from './topics.ts';

// GitLab's own cap.
const bodyLimit = 25 * 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const number = z.number().int().positive().safe();

/** A merge request as GitLab tells webhooks of it, with the check that asks. Nothing more of it is read: the host is asked. */
const question = z.looseObject({
  object_kind: z.literal('merge_request'),
  project: z.looseObject({ id: number }),
  object_attributes: z.looseObject({ iid: number }),
  external_approval_rule: z.looseObject({ id: number }),
});

/**
 * Where an external status check of a GitLab asks about a merge request. Not an endpoint of the contract: the caller signs the raw
 * bytes, with a secret that was made for the organization its address names. The answer is given later, by the API of GitLab.
 */
export const receiveRoute = (app: FastifyInstance, services: Services): Promise<void> =>
  signedRoute(app, {
    path: '/api/webhooks/gitlab/status-check',
    contentTypes: ['application/json'],
    bodyLimit,
    async findSender(request) {
      const { hook } = request.query as { hook?: unknown };
      const asker = typeof hook === 'string' && uuid.test(hook) ? await maybeAsker(services, hook) : undefined;
      const signature = asker && signatureOf(asker.secret, request);
      return asker && signature && { orgId: asker.orgId, signature };
    },
    async handle(_request, reply, { orgId }, body) {
      const asked = question.safeParse(jsonOf(body.toString()));
      if (!asked.success) throw Invalid('', 'is not a status check of a merge request');
      const { project, object_attributes: merge, external_approval_rule: check } = asked.data;
      const of = { projectId: String(project.id), number: merge.iid, checkId: String(check.id) };
      return reply.status(202).send({ accepted: await ask(services, orgId, of) });
    },
  });

/** Has a merge request judged and the check answered; false for a project that is not enabled here. */
const ask = (
  services: Services,
  orgId: string,
  { projectId, number, checkId }: { projectId: string; number: number; checkId: string },
): Promise<boolean> =>
  services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return false;
    // Ids of an instance of people's own carry its host behind an @.
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
  const given = headers['x-gitlab-signature'];
  return typeof given === 'string' && /^[0-9a-f]{64}$/i.test(given)
    ? hmacCheck(secret, [Buffer.from(given, 'hex')])
    : undefined;
}
