import { listFeatureFlags } from '@sightline/contract/feature-flags.ts';
import { type Flag, flagDefaults } from '@sightline/contract/flags.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';

export function flagsRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listFeatureFlags, async () => {
    const names = Object.keys(flagDefaults) as Flag[];
    const states = await Promise.all(names.map((name) => services.flags.isOn(name)));
    const on = names.filter((_, index) => states[index]);
    const variant = { name: 'disabled', enabled: false, feature_enabled: true };
    return { toggles: on.map((name) => ({ name, enabled: true as const, variant, impressionData: false })) };
  });
}
