import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { GitlabInstance } from '../gitlab/instance.ts';
import type { Receivers } from './receivers.ts';

type ExternalControlRoute = { Params: { id: string; control: string }; Body: { status?: string } | undefined };

/** Seconds for which a signed request is valid. */
const good = 15;

/**
 * External controls of GitLab's compliance frameworks (17.11), as in GitLab's tests: signed, single-use and
 * short-lived.
 */
export const externalControlRoutes = (
  server: FastifyInstance,
  instance: GitlabInstance,
  { gitlab }: Receivers,
): void => {
  server.patch<ExternalControlRoute>(
    '/projects/:id/compliance_external_controls/:control/status',
    async (request, reply) => {
      const refuse = (status: number, error: string) => reply.code(status).send({ error });
      const { status } = request.body ?? {};
      if (status !== 'pass' && status !== 'fail') return refuse(400, 'status does not have a valid value');
      const project = instance.host.repositories.find(({ id }) => String(id) === request.params.id);
      if (project === undefined) return refuse(404, 'Project not found');
      const control = gitlab.controls.get(Number(request.params.control));
      if (control === undefined) return refuse(404, 'Control not found');
      const [timestamp, nonce, signature] = ['timestamp', 'nonce', 'hmac-sha256'].map((name) =>
        String(request.headers[`x-gitlab-${name}`] ?? ''),
      );
      if (!timestamp || !nonce || !signature) return refuse(401, 'Missing required headers');
      const problem = freshnessProblemOf(gitlab.nonces, timestamp, nonce);
      if (problem !== undefined) return refuse(401, problem);
      if (!isSignedBy(control.secret, `${timestamp}${nonce}${request.url}status=${status}`, signature))
        return refuse(401, 'Invalid signature');
      gitlab.nonces.add(nonce);
      control.statuses.set(project.id, status);
      return { status };
    },
  );
};

const freshnessProblemOf = (nonces: ReadonlySet<string>, timestamp: string, nonce: string): string | undefined => {
  const age = Math.floor(Date.now() / 1000) - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || age < 0) return 'Invalid timestamp';
  if (age >= good) return 'Request has expired';
  return nonce.length !== 32 || nonces.has(nonce) ? 'Invalid nonce' : undefined;
};

const isSignedBy = (secret: string, text: string, signature: string): boolean => {
  const expected = createHmac('sha256', secret).update(text).digest('hex');
  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
};
