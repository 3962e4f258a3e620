import { type Endpoint, isChange } from '@sightline/contract/core/endpoint.ts';
import { type ErrorCode, errorBody, errorStatus } from '@sightline/contract/core/errors.ts';
import { z } from 'zod';
import { portalCookieName } from './auditor-portals.ts';
import { usesSecureCookies } from './cookies.ts';

/** The OpenAPI 3.1 document of a list of endpoints. `x-access` describes the required permission. */
export function openApi(endpoints: readonly Endpoint[], serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sightline',
      version: '2',
      description: 'Who changed your code, with which tools, and what your scanners found.',
    },
    servers: [{ url: `${serverUrl}/api` }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        portal: { type: 'apiKey', in: 'cookie', name: portalCookieName(usesSecureCookies({ PUBLIC_URL: serverUrl })) },
      },
      schemas: { Error: schemaOf(errorBody, 'output') },
    },
    paths,
  };
}

function operation(endpoint: Endpoint): object {
  const parameters = [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')];
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next = '') => String(next).toUpperCase())}`,
    summary: endpoint.summary,
    security: endpoint.scope === 'public' ? [] : [{ [endpoint.scope === 'portal' ? 'portal' : 'bearer']: [] }],
    'x-access': {
      scope: endpoint.scope,
      permission: endpoint.permission ? [endpoint.permission].flat().join(' or ') : null,
      flag: endpoint.flag ?? null,
      ...(endpoint.accessKey && { accessKey: endpoint.accessKey }),
    },
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } },
    }),
    ...(endpoint.upload && {
      requestBody: {
        required: true,
        description: `At most ${endpoint.upload.maxBytes} bytes.`,
        content: Object.fromEntries(
          endpoint.upload.types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      },
    }),
    responses: {
      [endpoint.status ?? 200]: {
        description: endpoint.summary,
        ...(endpoint.paged && {
          headers: { 'X-Total-Count': { schema: { type: 'integer' } }, Link: { schema: { type: 'string' } } },
        }),
        content: Object.fromEntries(
          (endpoint.file ?? ['application/json']).map((type) => [
            type,
            { schema: schemaOf(endpoint.response, 'output') },
          ]),
        ),
      },
      ...refusalsByStatus(refusalsOf(endpoint)),
    },
  };
}

/** The error codes that an endpoint can return, in addition to `internal`. */
export function refusalsOf(endpoint: Endpoint): ErrorCode[] {
  return [
    'validation_failed',
    'rate_limited',
    'unavailable',
    ...(endpoint.scope === 'public' || endpoint.scope === 'portal' ? [] : (['unauthenticated'] as const)),
    ...(endpoint.scope === 'organization' ? (['forbidden', 'organization_moved'] as const) : []),
    ...(endpoint.params || endpoint.flag ? (['not_found'] as const) : []),
    // A body is parsed and validated even if the endpoint expects none.
    ...(endpoint.method === 'GET' ? [] : (['too_large', 'unsupported_media_type'] as const)),
    // The organization may be archived.
    ...(isChange(endpoint) && !endpoint.whileArchived ? (['conflict'] as const) : []),
    ...(endpoint.stepUp ? (['reauthentication_required'] as const) : []),
    ...(endpoint.errors ?? []),
  ];
}

/** Groups codes by status. Several codes can share a status, and each is listed. */
function refusalsByStatus(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(new Set(codes), (code) => errorStatus[code]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, together]) => [
      status,
      {
        description: together.join(', '),
        ...(status === errorStatus.rate_limited && { headers: limitHeaderSchemas }),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const limitHeaderSchemas = {
  'Retry-After': { description: 'Seconds until the next attempt is accepted.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'Each limit with its quota and window in seconds, such as "account";q=1500;w=60.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The remaining quota of each limit and the seconds until it resets, such as "account";r=0;t=12.',
    schema: { type: 'string' },
  },
};

function parametersOf(schema: z.ZodType | undefined, location: 'path' | 'query'): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }));
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): object =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
