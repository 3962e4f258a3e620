import type { FastifyInstance } from 'fastify';
import { openApi } from '#core/openapi.ts';
import type { Services } from '#core/services.ts';
import { chapters, endpoints } from './endpoints.ts';
import { docsPage } from './page.ts';

/** The API's own description: a document for machines, and a page for people that needs no script. */
export function documentationRoutes(app: FastifyInstance, services: Services): void {
  const document = JSON.stringify(openApi(endpoints, services.config.PUBLIC_URL));
  const page = docsPage(chapters);
  app.get('/api/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document),
  );
  app.get('/api/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
  );
}
