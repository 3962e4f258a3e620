import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { GitlabInstance } from '../gitlab/instance.ts';
import type { Receivers } from './receivers.ts';

type ExternalControlRoute = { Params: { id: string; control: string }; Body: { status?: string } | undefined };

/** Seconds a signed request is good for. */
const good = 15;

/** External controls of GitLab's compliance frameworks (17.11), as its own tests have them: signed, once, and for a moment. */
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
      const [timestamp, nonce, given] = ['timestamp', 'nonce', 'hmac-sha256'].map((name) => {
        const value = request.headers[`x-gitlab-${name}`];
        return typeof value === 'string' ? value : '';
      });
      if (!timestamp || !nonce || !given) return refuse(401, 'Missing required headers');
      const age = Math.floor(Date.now() / 1000) - Number(timestamp);
      if (!/^\d+$/.test(timestamp) || age < 0) return refuse(401, 'Invalid timestamp');
      if (age >= good) return refuse(401, 'Request has expired');
      if (nonce.length !== 32 || gitlab.nonces.has(nonce)) return refuse(401, 'Invalid nonce');
      const expected = createHmac('sha256', control.secret)
        .update(`${timestamp}${nonce}${request.url}status=${status}`)
        .digest('hex');
      if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) {
        return refuse(401, 'Invalid signature');
      }
      gitlab.nonces.add(nonce);
      control.statuses.set(project.id, status);
      return { status };
    },
  );
};
