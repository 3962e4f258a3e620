import { enableRepositories, listProviderRepos, listRepositories } from '@sightline/contract/sources/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let acme: TestOrganization;
beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization();
  for (const [index, name] of ['delta', 'alpha', 'echo', 'bravo', 'charlie', 'under_score'].entries()) {
    const id = await createTestRepository(server, acme, name);
    // The last change of this repository is unknown.
    const at = name === 'under_score' ? null : new Date(Date.UTC(2026, 2, 1 + index));
    await server.services.database.withOrg(acme.id, ({ db }) =>
      db.updateTable('repository').set({ last_change: at }).where('id', '=', id).execute(),
    );
  }
});
afterAll(() => server.close());

const list = (query: Record<string, unknown>) =>
  server.as(acme.owner, acme.id)(listRepositories, { query: query as never });
const names = async (query: Record<string, unknown>) => (await list(query)).rows.map(({ name }) => name);

test('sorts repositories by last change or by name, in pages', async () => {
  expect(await names({})).toEqual(['charlie', 'bravo', 'echo', 'alpha', 'delta', 'under_score']);
  expect(await names({ sort: 'date-asc' })).toEqual(['under_score', 'delta', 'alpha', 'echo', 'bravo', 'charlie']);
  expect(await names({ sort: 'name-asc', perPage: 5 })).toEqual(['alpha', 'bravo', 'charlie', 'delta', 'echo']);
  expect(await names({ sort: 'name-asc', perPage: 5, page: 2 })).toEqual(['under_score']);
  expect(await names({ sort: 'name-desc', perPage: 5 })).toEqual(['under_score', 'echo', 'delta', 'charlie', 'bravo']);
});

test('returns code host, visibility, enabled state and last change', async () => {
  const { rows } = await list({ search: 'bravo' });
  expect(rows).toMatchObject([
    {
      orgId: acme.id,
      id: expect.any(String) as string,
      name: 'bravo',
      owner: 'acme',
      fullName: 'acme/bravo',
      provider: 'github',
      defaultBranch: 'main',
      isPrivate: expect.any(Boolean) as boolean,
      tracked: true,
      lastChange: '2026-03-04T00:00:00.000Z',
      scannerStatus: 'not_configured',
      severityCounts: null,
    },
  ]);
  expect(rows[0]).toHaveProperty('pushedAt');
});

test('searches by literal owner and name, ignoring case', async () => {
  expect(await names({ search: 'ALPH' })).toEqual(['alpha']);
  expect(await names({ search: 'acme/b' })).toEqual(['bravo']);
  expect(await names({ search: 'r_s' })).toEqual(['under_score']);
  expect(await names({ search: '%' })).toEqual([]);
  expect(await list({ search: 'nowhere' })).toMatchObject({ rows: [], total: 0 });
});

test('lists available repositories by provider and owner, and updates their enabled state', async () => {
  const other = await server.make.organization();
  await createTestRepository(server, other, 'wallet');
  const call = server.as(other.owner, other.id);
  const { providerRepos } = await call(listProviderRepos, {});
  expect(providerRepos).toMatchObject({
    github: { acme: [{ name: 'wallet', fullName: 'acme/wallet', tracked: true }] },
  });
  const { id = '' } = providerRepos.github?.acme?.[0] ?? {};
  const chosen = { providerRepos: { github: { acme: [{ id, tracked: false }] } } };
  expect(await call(enableRepositories, { body: chosen })).toMatchObject(chosen);
  expect(await call(listProviderRepos, {})).toMatchObject(chosen);
});
