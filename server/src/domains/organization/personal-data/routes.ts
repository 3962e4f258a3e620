import { exportPersonalData, getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { exportPersonalDataOfActor } from './exports.ts';
import { findPersonalData } from './queries.ts';

export function personalDataRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getPersonalData, ({ actor }) => findPersonalData(services, actor));
  route(app, services, exportPersonalData, ({ actor }) => exportPersonalDataOfActor(services, actor));
}
