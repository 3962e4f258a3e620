import type { FastifyInstance } from 'fastify';
import { openApi } from '#core/openapi.ts';
import type { Services } from '#core/services.ts';
import { chapters, endpoints } from './endpoints.ts';
import { renderApiReference } from './page.ts';

/** The API documentation: an OpenAPI document, and a page that needs no script. */
export function documentationRoutes(app: FastifyInstance, services: Services): void {
  // Created on first use, since describing all endpoints would noticeably slow down each start.
  let document: string | undefined;
  let page: string | undefined;
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApi(endpoints, services.config.PUBLIC_URL));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
  app.get('/api/docs', (_request, reply) => {
    page ??= renderApiReference(chapters);
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
}
