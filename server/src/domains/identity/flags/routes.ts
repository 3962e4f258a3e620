import {
  listFeatureFlags,
  postFeatureFlagsQuery,
  registerFlagClient,
  reportFlagUsage,
} from '@sightline/contract/identity/feature-flags.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { countFlagUsage } from './commands.ts';

/** The frontend API of Unleash. The token identifies the caller, regardless of the context that a client sends. */
export function flagsRoutes(app: FastifyInstance, services: Services): void {
  const { flags } = services;
  route(app, services, listFeatureFlags, async ({ actor }) => ({ toggles: await flags.listOn(actor) }));
  route(app, services, postFeatureFlagsQuery, async ({ actor }) => ({ toggles: await flags.listOn(actor) }));
  route(app, services, reportFlagUsage, async ({ body }) => countFlagUsage(services, body));
  route(app, services, registerFlagClient, async () => ({ accepted: true as const }));
}
