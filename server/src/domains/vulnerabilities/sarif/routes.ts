import { uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { importUploadedSarif } from './commands.ts';
import { createRunningUploads } from './running-uploads.ts';

export function sarifRoutes(app: FastifyInstance, services: Services): void {
  const underWay = createRunningUploads();
  app.addHook('onClose', () => underWay.stop());
  route(app, services, uploadSarif, (call) => importUploadedSarif(services, underWay, call));
}
