import { readdir } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { isChange } from '@sightline/contract/core/endpoint.ts';
import { flagDefaults } from '@sightline/contract/core/flags.ts';
import { grants, permissions, roleIds } from '@sightline/contract/core/permissions.ts';
import { topics } from '@sightline/contract/core/topics.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApi, refusalsOf } from '#core/openapi.ts';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { mountedRoutes, routeNameOf } from './mounted-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

// Routes below /api outside the contract: signed by a code host, or about the contract itself.
const otherRoutes = [
  'POST /api/webhooks/:',
  'POST /api/webhooks/checkmarx',
  'POST /api/webhooks/trackers',
  'POST /api/webhooks/gitlab/status-check',
  'POST /api/webhooks/slack/:',
  'GET /api/openapi.json',
  'GET /api/docs',
];

describe('the contract and the server define the same endpoints', () => {
  test('mounts below /api exactly the endpoints of the contract', () => {
    const mounted = mountedRoutes(server.app).filter((name) => name.includes(' /api'));
    expect(mounted.toSorted()).toEqual([...endpoints.map(routeNameOf), ...otherRoutes].toSorted());
  });

  test('names the topics of every change, each with a read that depends on it', () => {
    const changes = endpoints.filter((endpoint) => isChange(endpoint) && endpoint.method !== 'GET');
    expect(changes.filter(({ changes }) => changes === undefined).map(routeNameOf)).toEqual([]);
    const isRead = new Set(endpoints.flatMap(({ topics = [] }) => topics));
    expect(
      endpoints.filter(({ changes = [] }) => changes.some((topic) => !isRead.has(topic))).map(routeNameOf),
    ).toEqual([]);
    expect(topics.filter((topic) => !isRead.has(topic))).toEqual([]);
  });

  test('serves every endpoint of the specification under its method and path', () => {
    const calls = `
      GET /v2/auth0mgm/org/members                POST /v2/auth0mgm/org/invite
      GET /v2/auth0mgm/roles                      GET /v2/auth0mgm/user/organizations
      DELETE /v2/auth0mgm/user/organizations      GET /v2/auth0mgm/org
      PUT /v2/auth0mgm/org                        POST /v2/auth0mgm/org
      DELETE /v2/auth0mgm/org/:/invitations/:/decline
      PUT /v2/auth0mgm/org/users/:/deactivate     PUT /v2/auth0mgm/org/users/:/reinstate
      DELETE /v2/auth0mgm/org/invitations/:       DELETE /v2/auth0mgm/org/users/:
      PATCH /v2/auth0mgm/org/users/:/update-role  GET /v2/auth0mgm/org/allowed
      POST /v2/auth0mgm/org/repos                 GET /v2/auth0mgm/org/repos
      GET /v2/auth0mgm/org/members/ext-status     GET /v2/user/status
      GET /v2/user/ext-status                     GET /account/me
      POST /account/me/description                PUT /account/me/tips/hide
      PUT /account/me/onboarding/complete         PUT /v2/auth/unlink/:
      GET /v2/auth/similar-accounts               POST /v2/auth/register
      POST /v2/auth/public/verification           POST /v2/events/user
      GET /v2/repositories                        GET /v2/vulnerabilities
      GET /v2/vulnerabilities/filters/:           GET /v2/vulnerabilities/stats
      GET /v2/vulnerabilities/:                   POST /v2/tools/inventory
      GET /v2/tools/filters                       GET /v2/repositories/:/:/pull-requests
      GET /v2/repositories/:/:/pull-requests/meta GET /v2/repositories/:/:/pull-requests/:
      GET /v2/events/explore/context/:            POST /v2/events/explore/query
      GET /v2/integrations/github/status          GET /v2/integrations/github/initiate-install
      GET /v2/integrations/github/finalize-install
      GET /v2/integrations                        POST /v2/integrations/:
      DELETE /v2/integrations/:`;
    const named = [...calls.matchAll(/([A-Z]+) (\S+)/g)].map(([, method, path]) => `${method} /api${path}`);
    expect(named).toHaveLength(47);
    expect(named.filter((call) => !mountedRoutes(server.app).includes(call))).toEqual([]);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '%s of an unknown path below /api returns 404',
    async (method) => {
      for (const url of ['/api', '/api/', '/api/unknown', '/api/v2/unknown', '/api/v2/auth0mgm/org/unknown/deeper']) {
        const answer = await server.app.inject({ method, url });
        expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'not_found']);
      }
    },
  );

  test('assigns each endpoint a unique method and path', () => {
    expect(new Set(endpoints.map(routeNameOf)).size).toBe(endpoints.length);
  });

  test('documents every endpoint of every contract file', async () => {
    const named = await endpointsInFiles();
    expect(endpoints.map(routeNameOf).toSorted()).toEqual(named.toSorted());
  });
});

describe('access control', () => {
  test('requires a permission for exactly the endpoints of an organization', () => {
    for (const endpoint of endpoints) {
      expect([routeNameOf(endpoint), endpoint.permission !== undefined]).toEqual([
        routeNameOf(endpoint),
        endpoint.scope === 'organization',
      ]);
    }
  });

  test('grants every permission to a role, and roles no other permissions', () => {
    const granted = new Set(roleIds.flatMap((role) => Object.keys(grants[role])));
    expect([...granted].toSorted()).toEqual(permissions.toSorted());
  });

  test('offers clients exactly the flags that are enabled by default', async () => {
    const account = await server.make.account();
    const { toggles } = await server.as(account)(listFeatureFlags, {});
    const on = Object.entries(flagDefaults).flatMap(([name, enabled]) => (enabled ? name : []));
    expect(toggles.map((toggle) => toggle.name).toSorted()).toEqual(on.toSorted());
  });
});

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(describedApi());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('is served by the server', async () => {
    const served = await server.app.inject('/api/openapi.json');
    expect(served.json()).toEqual(describedApi());
  });

  test('lists every endpoint once, with its access rules and error responses', () => {
    const operations = Object.values(describedApi().paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(endpoints.length);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(endpoints.length);
    for (const operation of operations) {
      expect(operation).toMatchObject({
        'x-access': { scope: expect.stringMatching(/^(public|account|organization|portal)$/) },
        summary: expect.stringMatching(/\.$/),
        responses: { 400: expect.anything(), 429: expect.anything(), 503: expect.anything() },
      });
    }
  });

  test('lists every error code of an endpoint, including codes that share a status', () => {
    const { paths } = describedApi();
    for (const endpoint of endpoints) {
      const operation = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
      const codes = Object.values(operation?.responses ?? {}).flatMap(({ description }) => description.split(', '));
      expect([routeNameOf(endpoint), codes]).toEqual([
        routeNameOf(endpoint),
        expect.arrayContaining(refusalsOf(endpoint)),
      ]);
    }
  });
});

interface Operation {
  operationId: string;
  summary: string;
  responses: Record<string, { description: string }>;
}

// Serialized and parsed, as a client receives the document.
const describedApi = () =>
  JSON.parse(JSON.stringify(openApi(endpoints, server.config.PUBLIC_URL))) as {
    paths: Record<string, Record<string, Operation>>;
  };

async function endpointsInFiles(): Promise<string[]> {
  const folder = new URL('../../../contract/src/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>),
  );
  const named = modules.flatMap((module) => Object.values(module)).filter(isEndpoint);
  return [...new Set(named)].map(routeNameOf);
}

const isEndpoint = (value: unknown): value is { method: string; path: string } =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'scope' in value;
