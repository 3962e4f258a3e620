import { uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { upload } from './commands.ts';
import { createUnderWay } from './under-way.ts';

export function sarifRoutes(app: FastifyInstance, services: Services): void {
  const underWay = createUnderWay();
  app.addHook('onClose', () => underWay.stop());
  route(app, services, uploadSarif, (call) => upload(services, underWay, call));
}
