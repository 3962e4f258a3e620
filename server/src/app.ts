import type { FastifyInstance } from 'fastify';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { createHttp } from './core/http.ts';
import { githubJobs } from './features/github/jobs.ts';
import { githubRoutes } from './features/github/routes.ts';
import { webhookJobs } from './features/webhooks/jobs.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';

/** The table of contents: every feature, in order. */
export async function buildApp(services: Services, _keys: SigningKeys): Promise<FastifyInstance> {
  const app = createHttp(services.config, services.log);
  services.realtime.attach(app.server, {
    origin: services.config.PUBLIC_URL,
    verifyToken: services.verifyToken,
    memberships: services.memberships,
  });
  app.addHook('preClose', () => services.realtime.disconnect());
  githubRoutes(app, services);
  await webhookRoutes(app, services);
  return app;
}

/** Every background job of the product. */
export function jobsOf(services: Services): JobDefinition[] {
  return [...githubJobs(services), ...webhookJobs(services)];
}
