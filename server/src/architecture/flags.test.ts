import { flagNames } from '@sightline/contract/core/flags.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { setFlag } from '../domains/identity/flags/commands.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { githubEnvironment } from './github-environment.ts';
import { callEndpoint, endpointKeyOf, requestNamesOf } from './requests.ts';
import { restoreScene } from './scene.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

let server: TestServer;
let seed: Seed;
let owner: string;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  seed = await seedOrganization(server, 'quokka');
  owner = await server.token(seed.org.owner, seed.org.id);
  for (const name of flagNames) await setFlag(server.services, 'everybody', { name, enabled: false, operator: 'seed' });
});
beforeEach(() => restoreScene(server, seed));
afterAll(() => server.close());

const gated = endpoints
  .filter((endpoint) => endpoint.flag !== undefined)
  .map((endpoint) => ({ name: endpointKeyOf(endpoint), endpoint }));

describe('returns 404 while its feature flag is disabled for', () => {
  test.each(gated)('$name', async ({ endpoint }) => {
    await restoreScene(server, seed, endpoint);
    const { status, body } = await callEndpoint(server, endpoint, owner, requestNamesOf(seed));
    expect([status, JSON.parse(body)]).toMatchObject([404, { code: 'not_found' }]);
  });
});
