import { retryImport } from '@sightline/contract/sources/repositories.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { retryImportOf } from './commands.ts';

export function importsRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, retryImport, ({ actor, params }) => retryImportOf(services, actor, params));
}
