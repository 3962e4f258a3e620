import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import type { Principal } from './access.ts';
import { accessMatrix } from './access-matrix.ts';
import { recordTableChanges, type TableChangeRecorder } from './change-recorder.ts';
import { githubEnvironment } from './github-environment.ts';
import { credentialsOf } from './principals.ts';
import { callEndpoint, endpointKeyOf, requestNamesOf } from './requests.ts';
import { createSceneSnapshots, type SceneSnapshots } from './scene-snapshots.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

// Queries must separate organizations without row-level security, which is the second layer: this test runs without it.
let server: TestServer;
let changes: TableChangeRecorder;
let scenes: SceneSnapshots;
let ours: Seed;
let theirs: Seed;
let tokens: Record<Principal, string | undefined>;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment, pastRowSecurity: true });
  ours = await seedOrganization(server, 'quokka');
  theirs = await seedOrganization(server, 'wombat');
  tokens = await credentialsOf(server, ours, theirs);
  changes = await recordTableChanges(server);
  scenes = createSceneSnapshots(server, changes, [ours, theirs]);
});
beforeEach(() => scenes.ensure(ours));
afterAll(async () => {
  await changes?.close();
  await server?.close();
});

test('runs this test server without row-level security', async () => {
  const { rows } = await server.services.database.pool.query('select distinct org_id from member');
  expect(rows.length).toBeGreaterThanOrEqual(2);
});

const secretsOf = ({ org, contributor, repositoryId, contextId, ownerEventId, contributorEventId }: Seed) => [
  'quokka',
  ...[org.id, org.owner.email, contributor.email],
  ...[repositoryId, contextId, ownerEventId, contributorEventId],
];

// Row-level security does not apply to data of an account.
const named = endpoints
  .filter(({ scope, path }) => scope === 'organization' || path.includes(':orgId'))
  .map((endpoint) => ({ name: endpointKeyOf(endpoint), endpoint }));

describe('without row-level security, data of another organization is not disclosed by', () => {
  test.each(named)('$name', async ({ name, endpoint }) => {
    for (const principal of ['otherOwner', 'intruder'] as const) {
      const call = (seed: Seed) => callEndpoint(server, endpoint, tokens[principal], requestNamesOf(seed));
      const own = await call(theirs);
      await scenes.ensure(theirs);
      const foreign = await call(ours);
      await scenes.ensure(ours);
      const outcome = foreign.status === (endpoint.status ?? 200) ? 'ok' : `${foreign.status}`;
      expect([principal, outcome]).toEqual([principal, accessMatrix[name]?.[principal]]);
      // A refusal may repeat an ID of the request.
      const given = [own, foreign].filter(({ status }) => status < 400).map(({ body }) => body);
      for (const secret of secretsOf(ours)) expect(given.filter((body) => body.includes(secret))).toEqual([]);
    }
  });
});
