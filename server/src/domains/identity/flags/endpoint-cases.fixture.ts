import {
  listFeatureFlags,
  postFeatureFlagsQuery,
  registerFlagClient,
  reportFlagUsage,
} from '@sightline/contract/identity/feature-flags.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(listFeatureFlags, {
    request: () => ({ query: { appName: 'seed', 'properties[plan]': 'free' } }),
    access: { allows: 'accounts' },
  }),
  endpointCase(postFeatureFlagsQuery, {
    request: () => ({ body: { context: { appName: 'seed', userId: 'another user' } } }),
    access: { allows: 'accounts' },
    writesNothing: 'Reads only.',
  }),
  endpointCase(registerFlagClient, {
    request: () => ({ body: { appName: 'seed', sdkVersion: 'seed:1' } }),
    access: { allows: 'accounts' },
    writesNothing: 'Stores nothing.',
  }),
  endpointCase(reportFlagUsage, {
    request: () => ({
      body: {
        appName: 'seed',
        bucket: {
          start: '2026-03-01T12:00:00Z',
          stop: '2026-03-01T12:03:00Z',
          toggles: { release2: { yes: 2, no: 1, variants: {} } },
        },
      },
    }),
    access: { allows: 'accounts' },
    writesNothing: 'Adds to the usage counts of flags, which are not per person.',
  }),
];
