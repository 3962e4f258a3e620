import { flagNames } from '@sightline/contract/core/flags.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { setFlag } from '../domains/identity/flags/commands.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { recordTableChanges, type TableChangeRecorder } from './change-recorder.ts';
import { githubEnvironment } from './github-environment.ts';
import { callEndpoint, endpointKeyOf, requestNamesOf } from './requests.ts';
import { createSceneSnapshots, type SceneSnapshots } from './scene-snapshots.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

let server: TestServer;
let changes: TableChangeRecorder;
let scenes: SceneSnapshots;
let seed: Seed;
let owner: string;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  seed = await seedOrganization(server, 'quokka');
  owner = await server.token(seed.org.owner, seed.org.id);
  for (const name of flagNames) await setFlag(server.services, 'everybody', { name, enabled: false, operator: 'seed' });
  changes = await recordTableChanges(server);
  scenes = createSceneSnapshots(server, changes, [seed]);
});
afterAll(async () => {
  await changes?.close();
  await server?.close();
});

const gated = endpoints
  .filter((endpoint) => endpoint.flag !== undefined)
  .map((endpoint) => ({ name: endpointKeyOf(endpoint), endpoint }));

describe('returns 404 while its feature flag is disabled for', () => {
  test.each(gated)('$name', async ({ endpoint }) => {
    await scenes.ensure(seed, endpoint);
    const { status, body } = await callEndpoint(server, endpoint, owner, requestNamesOf(seed));
    expect([status, JSON.parse(body)]).toMatchObject([404, { code: 'not_found' }]);
  });
});
