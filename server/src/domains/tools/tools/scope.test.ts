import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#database/database.ts';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { toolOfAction } from './catalog/catalog.ts';
import { recordSightings } from './record-sightings.ts';
import { inventoryScopeOf, toolsInUse } from './scope.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization();
});
afterAll(() => server.close());

const usedIn = async (tx: Tx) =>
  toolsInUse(tx, await inventoryScopeOf(tx, { orgId: org.id, personId: org.owner.id, reach: () => 'all' }), 'ci/cd');
const used = () => server.services.database.withOrg(org.id, usedIn);

test('shares rows until tools change, and none of a transaction that has changed them', async () => {
  const repositoryId = await createTestRepository(server, org);
  const record = (action: string) =>
    server.services.database.withOrg(org.id, (tx) =>
      recordSightings(tx, org.id, [
        { tab: 'ci/cd', entry: toolOfAction(action), repositoryId, source: 'github-actions', at: new Date() },
      ]),
    );
  await record('actions/checkout');
  const before = await used();
  expect(before).toHaveLength(1);
  await expect(
    server.services.database.withOrg(org.id, async (tx) => {
      await tx.db.deleteFrom('tool_repository').where('org_id', '=', org.id).execute();
      expect(await usedIn(tx)).toEqual([]);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await used()).toEqual(before);
  await record('actions/cache');
  expect(await used()).toHaveLength(2);
});
