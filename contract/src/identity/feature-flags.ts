import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';

const variant = z.object({
  name: z.string(),
  enabled: z.boolean(),
  feature_enabled: z.boolean().optional(),
  payload: z.object({ type: z.string(), value: z.string() }).optional(),
});

/** The enabled flags for the account and organization of the token. Disabled flags are omitted. */
const toggles = z.object({
  toggles: z.array(
    z.object({ name: z.string(), enabled: z.literal(true), variant, impressionData: z.boolean().default(false) }),
  ),
});
export type Toggle = z.output<typeof toggles>['toggles'][number];

// Unleash clients send context fields. The server accepts them but uses the token only.
const contextField = /^(appName|environment|userId|sessionId|remoteAddress|currentTime|properties\[[^[\]]{1,100}\])$/;

/** Unleash's frontend API: lists enabled flags only. */
export const listFeatureFlags = endpoint({
  method: 'GET',
  path: '/v2/flags/frontend',
  summary:
    'Lists the enabled feature flags in the format of the Unleash frontend API. The token determines the context.',
  scope: 'account',
  polled: true,
  query: z.record(z.string().regex(contextField), boundedText(1000)),
  response: toggles,
});

/** The same query as sent by Unleash clients with `usePOSTrequests`. */
export const postFeatureFlagsQuery = endpoint({
  method: 'POST',
  path: '/v2/flags/frontend',
  summary: 'Lists the enabled feature flags, with the context in the body. The token determines the context.',
  scope: 'account',
  body: z.strictObject({
    context: z
      .strictObject({
        appName: boundedText(200).optional(),
        environment: boundedText(200).optional(),
        userId: boundedText(200).optional(),
        sessionId: boundedText(200).optional(),
        remoteAddress: boundedText(200).optional(),
        currentTime: boundedText(100).optional(),
        properties: z.record(z.string().max(100), boundedText(1000)).optional(),
      })
      .optional(),
  }),
  response: toggles,
});

const count = z.number().int().min(0).max(1_000_000);

/** Number of evaluations of each flag since the last report, sent every three minutes. */
export const reportFlagUsage = endpoint({
  method: 'POST',
  path: '/v2/flags/frontend/client/metrics',
  summary: 'Accepts feature flag usage metrics of Unleash clients.',
  scope: 'account',
  body: z.strictObject({
    bucket: z.strictObject({
      start: timestamp,
      stop: timestamp,
      toggles: z
        .record(
          boundedText(200),
          z.strictObject({ yes: count, no: count, variants: z.record(boundedText(200), count).default({}) }),
        )
        .refine((reported) => Object.keys(reported).length <= 500, { error: 'must not contain more than 500 flags' }),
    }),
    appName: boundedText(200),
    instanceId: boundedText(200).optional(),
    environment: boundedText(200).optional(),
    impactMetrics: z.array(z.unknown()).max(100).optional(),
  }),
  response: z.object({ accepted: z.literal(true) }),
});
export type FlagUsage = z.output<typeof reportFlagUsage.body>;

/** Older Unleash clients register before their first request. */
export const registerFlagClient = endpoint({
  method: 'POST',
  path: '/v2/flags/frontend/client/register',
  summary: 'Accepts the registration of an Unleash client. It has no effect.',
  scope: 'account',
  body: z.strictObject({
    appName: boundedText(200),
    instanceId: boundedText(200).optional(),
    connectionId: boundedText(200).optional(),
    environment: boundedText(200).optional(),
    sdkVersion: boundedText(200).optional(),
    strategies: z.array(boundedText(200)).max(100).optional(),
    started: z.union([timestamp, z.number()]).optional(),
    interval: z.number().optional(),
  }),
  response: z.object({ accepted: z.literal(true) }),
});
