import { createDemo, getDemo, removeDemo } from '@sightline/contract/organization/demo.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { requestDemo, requestDemoRemoval } from './commands.ts';
import { findDemo } from './queries.ts';

export function demoRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getDemo, () => findDemo(services));
  route(app, services, createDemo, ({ actor }) => requestDemo(services, actor));
  route(app, services, removeDemo, ({ actor }) => requestDemoRemoval(services, actor));
}
