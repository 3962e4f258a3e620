import { exportPersonalData, getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { exportOwn } from './exports.ts';
import { findCollected } from './queries.ts';

export function collectedRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getPersonalData, ({ actor }) => findCollected(services, actor));
  route(app, services, exportPersonalData, ({ actor }) => exportOwn(services, actor));
}
