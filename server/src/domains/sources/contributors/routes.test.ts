import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import type { HostCommit } from '../../../providers/host-facts.ts';
import { ingestCommits } from '../ingest/commands.ts';

let server: TestServer;
let acme: TestOrganization;
const params = { provider: 'github', repoPath: 'acme/api' } as const;

beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization();
  const repositoryId = await createTestRepository(server, acme, 'api');
  const commits = Array.from({ length: 13 }, (_, index): HostCommit => {
    // The last commit is the second one of the first person.
    const who = index % 12;
    const author = { name: `Person ${String.fromCharCode(65 + who)}`, email: `p${who}@acme.example`, avatarUrl: null };
    const at = new Date(Date.UTC(2026, 2, 1 + index)).toISOString();
    const named = { ...author, login: who === 3 ? 'the-fourth' : null };
    return {
      sha: index.toString(16).padStart(40, 'a'),
      message: 'Change it',
      author: named,
      committer: named,
      authoredAt: at,
      committedAt: at,
      parents: [],
    };
  });
  await ingestCommits(server.services, acme.id, repositoryId, { commits, branch: 'main' });
});
afterAll(() => server.close());

const list = (query: Record<string, unknown>) =>
  server.as(acme.owner, acme.id)(listContributors, { params, query: query as never });
const names = async (query: Record<string, unknown>) =>
  (await list(query)).rows.map(({ name }) => name.slice(-1)).join('');

test('lists ten contributors per page, latest committer first, sorted by date or name', async () => {
  expect((await list({})).total).toBe(12);
  expect(await names({})).toBe('ALKJIHGFED');
  expect(await names({ page: 2 })).toBe('CB');
  expect(await names({ sort: 'date-asc', perPage: 5 })).toBe('BCDEF');
  expect(await names({ sort: 'name-asc', perPage: 40 })).toBe('ABCDEFGHIJKL');
  expect(await names({ sort: 'name-desc', perPage: 5 })).toBe('LKJIH');
});

test('sorts and searches by the shown name, which is that of the account if there is one', async () => {
  const beta = await server.make.organization('Beta');
  const repositoryId = await createTestRepository(server, beta, 'api');
  const at = '2026-03-01T00:00:00.000Z';
  const commits = ['Mona', 'Aaron as in the commits', 'Zoe'].map((name, index): HostCommit => {
    const email = index === 1 ? beta.owner.email : `${name}@beta.example`;
    const author = { name, email, login: null, avatarUrl: null };
    const sha = index.toString(16).padStart(40, 'b');
    return { sha, message: 'Change it', author, committer: author, authoredAt: at, committedAt: at, parents: [] };
  });
  await ingestCommits(server.services, beta.id, repositoryId, { commits, branch: 'main' });
  const shown = async (query: object) => {
    const { rows } = await server.as(beta.owner, beta.id)(listContributors, { params, query: query as never });
    return rows.map(({ name }) => name);
  };
  const account = 'Olga Owner';
  expect(await shown({ sort: 'name-asc' })).toEqual(['Mona', account, 'Zoe']);
  expect(await shown({ sort: 'name-desc' })).toEqual(['Zoe', account, 'Mona']);
  expect(await shown({ search: 'olga' })).toEqual([account]);
});

test('searches contributors by name, address and login, with commit counts', async () => {
  expect(await names({ search: 'person c' })).toBe('C');
  expect(await names({ search: 'P4@ACME' })).toBe('E');
  expect(await names({ search: 'the-fourth' })).toBe('D');
  expect(await names({ search: '%' })).toBe('');
  expect((await list({ search: 'p0@acme' })).rows).toMatchObject([
    {
      name: 'Person A',
      email: 'p0@acme.example',
      picture: null,
      githubName: null,
      user_id: null,
      commits: 2,
      lastCommit: '2026-03-13T00:00:00.000Z',
    },
  ]);
});

test('returns 404 for contributors of another organization', async () => {
  const other = await server.make.organization('Other');
  const denied = server.as(other.owner, other.id)(listContributors, { params });
  expect(await refusalOf(denied)).toEqual({ status: 404, code: 'not_found' });
});
