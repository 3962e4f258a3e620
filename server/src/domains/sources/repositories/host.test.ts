import { getRepositoryById } from '@sightline/contract/sources/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

const at = new Date('2026-03-01T12:00:00Z');

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization('acme');
});
afterAll(() => server.close());

interface HostState {
  installation?: { suspended_at?: Date; deleted_at?: Date };
  failure?: string;
  removed_at?: Date;
}

/** Creates a repository with its own installation and returns the reported state of its host. */
async function hostOf({ installation, failure, removed_at }: HostState) {
  const id = await createTestRepository(server, org);
  const key = newId();
  await server.services.database.withOrg(org.id, async (tx) => {
    const grantId = failure === undefined ? null : await grantThatFails(tx, failure);
    if (installation) {
      await tx.db
        .insertInto('installation')
        .values({
          org_id: org.id,
          provider: 'github',
          installation_id: key,
          account_login: 'acme',
          grant_id: grantId,
          html_url: 'https://code.example/acme',
          created_by: org.owner.id,
          ...installation,
        })
        .execute();
    }
    await tx.db
      .updateTable('repository')
      .set({ installation_id: key, ...(removed_at && { removed_at }) })
      .where('org_id', '=', org.id)
      .where('id', '=', id)
      .execute();
  });
  const found = await server.as(org.owner, org.id)(getRepositoryById, { params: { repositoryId: id } });
  return found.host;
}

async function grantThatFails(
  tx: Parameters<Parameters<TestServer['services']['database']['withOrg']>[1]>[0],
  failure: string,
) {
  const id = await server.services.grants.save(tx, org.id, org.owner.id, {
    provider: 'gitlab',
    baseUrl: 'https://gitlab.example',
    kind: 'token',
    login: 'ada',
    display: '…1234',
    secret: 'a token',
    refresh: null,
    expiresAt: null,
    scopes: [],
  });
  await tx.db
    .updateTable('code_host_grant')
    .set({ failure })
    .where('org_id', '=', org.id)
    .where('id', '=', id)
    .execute();
  return id;
}

const page = 'https://code.example/acme';
const since = at.toISOString();

test.each<[string, HostState, object]>([
  ['works', { installation: {} }, { state: 'connected', account: 'acme', settingsURL: page, since: null }],
  [
    'was suspended at the host',
    { installation: { suspended_at: at } },
    { state: 'suspended', settingsURL: page, since },
  ],
  [
    'was removed',
    { installation: { deleted_at: at, suspended_at: at } },
    { state: 'removed', settingsURL: null, since },
  ],
  ['is unknown', {}, { state: 'removed', account: null, since: null }],
  ['rejects the token', { installation: {}, failure: 'It ran out.' }, { state: 'refused', since: null }],
  [
    'no longer provides the repository',
    { installation: {}, removed_at: at },
    { state: 'withheld', settingsURL: page, since },
  ],
])('reports that the code host of a repository %s', async (_, state, host) => {
  expect(await hostOf(state)).toMatchObject(host);
});
