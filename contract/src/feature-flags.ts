import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Unleash's frontend API: only what is on is listed. */
export const listFeatureFlags = endpoint({
  method: 'GET',
  path: '/v2/flags/frontend',
  summary: 'The feature flags that are on, in the shape of the Unleash frontend API.',
  scope: 'account',
  polled: true,
  response: z.object({
    toggles: z.array(
      z.object({
        name: z.string(),
        enabled: z.literal(true),
        variant: z.object({ name: z.string(), enabled: z.boolean(), feature_enabled: z.boolean() }),
        impressionData: z.boolean(),
      }),
    ),
  }),
});
