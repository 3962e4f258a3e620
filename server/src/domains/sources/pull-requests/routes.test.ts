import {
  closedStatuses,
  getPullRequest,
  getPullRequestsMeta,
  listOwnPullRequests,
  listPullRequests,
  openStatuses,
} from '@sightline/contract/sources/pull-requests.ts';
import { getEvent, queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import { ingestPullRequest } from '../ingest/commands.ts';

let server: TestServer;
let acme: TestOrganization;
const params = { provider: 'github', repoPath: 'acme/api' } as const;

const pullRequestOf = (number: number, login: string, over: Partial<HostPullRequest>): HostPullRequest => {
  const day = String(number).padStart(2, '0');
  return {
    number,
    title: `Change ${number}`,
    state: 'in-progress',
    draft: false,
    mergedBy: null,
    closedBy: null,
    author: { login, avatarUrl: `https://code.example/${login}.png`, isAgent: false },
    createdAt: `2026-03-${day}T10:00:00Z`,
    updatedAt: `2026-03-${day}T11:00:00Z`,
    mergedAt: null,
    closedAt: null,
    baseRef: 'main',
    headRef: `feature/${number}`,
    headSha: 'f'.repeat(40),
    mergeSha: null,
    additions: 1,
    deletions: 0,
    changedFiles: 1,
    commits: 1,
    url: `https://code.example/acme/api/pull/${number}`,
    ...over,
  };
};

beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization();
  const repositoryId = await createTestRepository(server, acme, 'api');
  const over = { updatedAt: '2026-03-20T10:00:00Z', closedAt: '2026-03-20T10:00:00Z' };
  for (const pullRequest of [
    ...Array.from({ length: 9 }, (_, index) => pullRequestOf(index + 1, index % 2 === 0 ? 'ada' : 'grace', {})),
    pullRequestOf(10, 'linus', { title: 'Über 100% faster', baseRef: 'release/2' }),
    pullRequestOf(11, 'ada', { ...over, state: 'accepted', mergedAt: over.closedAt, mergeSha: 'e'.repeat(40) }),
    pullRequestOf(12, 'grace', { ...over, state: 'closed', title: 'Never mind' }),
  ]) {
    await ingestPullRequest(server.services, acme.id, { repositoryId, pullRequest });
  }
});
afterAll(() => server.close());

const list = (query: Parameters<typeof ask>[0]) => ask(query);
const ask = (query: { search?: string; statuses?: never[] | string[]; [key: string]: unknown }) =>
  server.as(acme.owner, acme.id)(listPullRequests, { params, query: query as never });
const numbers = async (query: Parameters<typeof ask>[0]) => (await list(query)).rows.map(({ number }) => number);

test('lists ten pull requests per page, newest first or oldest first', async () => {
  const { rows, total } = await list({});
  expect([rows.map(({ number }) => number), total]).toEqual([[12, 11, 10, 9, 8, 7, 6, 5, 4, 3], 12]);
  expect(await numbers({ page: 2 })).toEqual([2, 1]);
  expect(await numbers({ sort: 'date-asc', perPage: 5 })).toEqual([1, 2, 3, 4, 5]);
});

test('searches by literal title, and filters by open or closed status and by authors', async () => {
  expect(await numbers({ search: 'über 100%' })).toEqual([10]);
  expect(await numbers({ search: '100_' })).toEqual([]);
  expect(await numbers({ search: 'never' })).toEqual([12]);
  expect(await numbers({ statuses: openStatuses, perPage: 40 })).toHaveLength(10);
  expect(await numbers({ statuses: closedStatuses })).toEqual([12, 11]);
  expect(await numbers({ authors: ['linus', 'grace'], statuses: openStatuses })).toEqual([10, 8, 6, 4, 2]);
});

test('counts pull requests by status and lists all authors', async () => {
  const { count, authors } = await server.as(acme.owner, acme.id)(getPullRequestsMeta, { params });
  expect(count).toEqual({ open: 10, closed: 2 });
  expect(authors.map(({ authorLogin, count: each }) => [authorLogin, each]).toSorted()).toEqual([
    ['ada', 6],
    ['grace', 5],
    ['linus', 1],
  ]);
  const numbered = (prNumber: number) =>
    server.as(acme.owner, acme.id)(getPullRequest, { params: { ...params, prNumber } });
  const eleven = await numbered(11);
  expect(eleven).toMatchObject({
    title: 'Change 11',
    status: 'accepted',
    baseRef: 'main',
    headRef: 'feature/11',
    id: expect.any(String) as string,
    createdAt: '2026-03-11T10:00:00.000Z',
    author: { authorLogin: 'ada', avatarUrl: 'https://code.example/ada.png', isAgent: false },
  });
  const { contextId: context } = eleven.exploreContext;
  const { events } = await server.as(acme.owner, acme.id)(queryEvents, { body: { context } });
  expect(new Set(events.map(({ summary }) => summary.parameters[1]?.display))).toEqual(new Set(['#11']));
  expect(await refusalOf(numbered(99))).toEqual({ status: 404, code: 'not_found' });
});

test('finds pull requests in the timeline by source or target branch and shows both', async () => {
  const call = server.as(acme.owner, acme.id);
  const found = async (query: string) => (await call(queryEvents, { body: { query } })).events;
  const [event] = await found('branch:feature/10');
  expect(await found('branch:release/2')).toEqual([event]);
  expect(await found('branch:release/2 pr:10')).toEqual([event]);
  const { detail } = await call(getEvent, { params: { eventId: event?.uuid ?? '' } });
  const branches = (detail?.parameters ?? []).filter(({ parameter }) => parameter.kind === 'branch');
  expect(branches.map(({ label, parameter }) => [label, parameter.ident])).toEqual([
    ['From', 'feature/10'],
    ['Into', 'release/2'],
  ]);
});

test('filters by branch in a context as in a query', async () => {
  const call = server.as(acme.owner, acme.id);
  const filters = [
    [{ within: 'branch', field: 'name', predicate: 'is', arguments: ['Release/2'] }, 1],
    [{ within: 'branch', field: 'name', predicate: 'in', arguments: ['feature/1', 'feature/2'] }, 2],
    [{ within: 'data_source', field: 'id', predicate: 'is-not', arguments: ['github'] }, 0],
    [{ within: 'sha', field: 'sha', predicate: 'is', arguments: ['abcd'] }, 0],
    [{ within: 'commit', field: 'sha', predicate: 'is', arguments: ['abcd'] }, 0],
    [{ within: 'browser', field: 'name', predicate: 'is', arguments: ['chrome'] }, 0],
    [{ within: 'website', field: 'host', predicate: 'is', arguments: ['github.com'] }, 0],
    [{ within: 'repository', field: 'fullName', predicate: 'is', arguments: ['acme/elsewhere'] }, 0],
    [{ within: 'pull_request', field: 'number', predicate: 'in', arguments: ['1', '2'] }, 2],
  ] as const;
  for (const [filter, count] of filters) {
    const { events } = await call(queryEvents, { body: { query: '', filters: [filter] as never } });
    expect([filter.within, events.length]).toEqual([filter.within, count]);
  }
  for (const wrong of [
    { within: 'sha', field: 'sha', predicate: 'is', arguments: ['a'] },
    { within: 'branch', field: 'name', predicate: 'is', arguments: ['feature/1', 'feature/2'] },
  ]) {
    const rejected = call(queryEvents, { body: { query: '', filters: [wrong] as never } });
    expect(await refusalOf(rejected)).toEqual({ status: 400, code: 'validation_failed' });
  }
});

test('lists only the pull requests that a member opened in repositories that they may see', async () => {
  const org = await server.make.organization();
  const grace = await server.make.member(org.id, 'rol_contributor');
  const stranger = await server.make.organization();
  const [api, site] = [await createTestRepository(server, org, 'api'), await createTestRepository(server, org, 'site')];
  for (const [login, account] of [
    ['ada', org.owner],
    ['grace', grace],
  ] as const) {
    const personId = await server.personOf(org.id, account);
    await server.services.database.withOrg(org.id, ({ db }) =>
      db
        .insertInto('identity')
        .values({
          org_id: org.id,
          person_id: personId,
          kind: 'github',
          value: login,
          source: 'test',
          confidence: 'declared',
        })
        .execute(),
    );
  }
  const merged = { state: 'accepted', mergedAt: '2026-03-20T10:00:00Z', mergeSha: 'e'.repeat(40) } as const;
  for (const [repositoryId, pullRequest] of [
    [api, pullRequestOf(1, 'ada', {})],
    [site, pullRequestOf(2, 'ada', {})],
    [site, pullRequestOf(3, 'grace', {})],
    [api, pullRequestOf(4, 'ada', merged)],
  ] as const) {
    await ingestPullRequest(server.services, org.id, { repositoryId, pullRequest });
  }
  const own = async (account: typeof grace, query: { statuses?: 'in-progress'[]; search?: string } = {}) => {
    const { rows, total } = await server.as(account, org.id)(listOwnPullRequests, { query });
    return [total, ...rows.map(({ number, repository }) => `${repository.fullName}#${number}`)];
  };
  expect(await own(org.owner)).toEqual([3, 'acme/api#4', 'acme/site#2', 'acme/api#1']);
  expect(await own(org.owner, { statuses: ['in-progress'] })).toEqual([2, 'acme/site#2', 'acme/api#1']);
  expect(await own(org.owner, { search: 'change 2' })).toEqual([1, 'acme/site#2']);
  expect(await own(grace)).toEqual([1, 'acme/site#3']);
  expect(await server.as(stranger.owner, stranger.id)(listOwnPullRequests, {})).toEqual({ rows: [], total: 0 });
});
