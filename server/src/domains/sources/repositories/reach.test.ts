import { grants, readRepositories } from '@sightline/contract/core/permissions.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { getPullRequestsMeta, listPullRequests } from '@sightline/contract/sources/pull-requests.ts';
import {
  getRepository,
  getRepositoryById,
  listProviderRepos,
  listRepositories,
} from '@sightline/contract/sources/repositories.ts';
import { getEvent, queryEvents } from '@sightline/contract/timeline/events.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { appendFacts } from '../../timeline/events/commands.ts';

const at = new Date('2026-03-01T12:00:00Z');

let server: TestServer;
let org: TestOrganization;
let ada: TestAccount;
let reviewer: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization('acme');
  ada = await server.make.member(org.id, 'rol_contributor');
  reviewer = await server.make.member(org.id, 'rol_reviewer');
  const others = await server.personOf(org.id, org.owner);
  const person = await server.personOf(org.id, ada);
  await addRepository('committed', { contributor: person, author: others, reviewer: others });
  await addRepository('opened', { contributor: others, author: person, reviewer: others });
  await addRepository('reviewed', { contributor: others, author: others, reviewer: person });
  await addRepository('foreign', { contributor: others, author: others, reviewer: others });
});
afterAll(() => server.close());

const inOrg: TestServer['services']['database']['withOrg'] = (orgId, work) =>
  server.services.database.withOrg(orgId, work);

/** An enabled repository with one commit, one pull request and one review. */
const addRepository = async (
  name: string,
  by: { contributor: string; author: string; reviewer: string },
): Promise<void> => {
  const keys = { org_id: org.id, repository_id: await createTestRepository(server, org, name) };
  await inOrg(org.id, async ({ db }) => {
    await db
      .insertInto('contributor')
      .values({ ...keys, person_id: by.contributor, name, email: 'a@b.example', commits: 1, last_commit: at })
      .execute();
    await db
      .insertInto('pull_request')
      .values({
        ...keys,
        number: 1,
        title: name,
        status: 'in-progress',
        draft: false,
        author_person: by.author,
        author_login: name,
        created_at: at,
        updated_at: at,
        base_ref: 'main',
        head_ref: 'next',
        head_sha: '0'.repeat(40),
        url: `https://code.example/acme/${name}/pull/1`,
        context_id: newId(),
      })
      .execute();
    await db
      .insertInto('review')
      .values({
        ...keys,
        number: 1,
        review_id: '1',
        person_id: by.reviewer,
        login: name,
        state: 'approved',
        submitted_at: at,
      })
      .execute();
  });
};

const names = async (account: TestAccount) =>
  (await server.as(account, org.id)(listRepositories, { query: { sort: 'name-asc' } })).rows.map(({ name }) => name);

test('shows a contributor only repositories they have worked in, and all other roles all repositories', async () => {
  expect(await names(ada)).toEqual(['committed', 'opened', 'reviewed']);
  expect(await names(reviewer)).toEqual(['committed', 'foreign', 'opened', 'reviewed']);
  expect((await server.as(ada, org.id)(listRepositories, {})).total).toBe(3);
  const { providerRepos } = await server.as(ada, org.id)(listProviderRepos, {});
  expect(providerRepos.github?.acme?.map(({ name }) => name)).toEqual(['committed', 'opened', 'reviewed']);
});

test('returns 404 to a contributor for any other repository on every endpoint', async () => {
  const call = server.as(ada, org.id);
  const params = { provider: 'github' as const, repoPath: 'acme/foreign' };
  const { id } = await server.as(org.owner, org.id)(getRepository, { params });
  const requests = [
    call(getRepository, { params }),
    call(getRepositoryById, { params: { repositoryId: id } }),
    call(listPullRequests, { params }),
    call(getPullRequestsMeta, { params }),
    call(listContributors, { params }),
  ];
  for (const refused of await Promise.all(requests.map(refusalOf))) {
    expect(refused).toEqual({ status: 404, code: 'not_found' });
  }
  expect(await call(getRepository, { params: { ...params, repoPath: 'acme/opened' } })).toMatchObject({
    name: 'opened',
  });
});

describe('a role without permission for one code host', () => {
  let auditor: TestAccount;
  const elsewhere = { provider: 'gitlab' as const, repoPath: 'acme/elsewhere' };
  beforeAll(async () => {
    auditor = await server.make.member(org.id, 'rol_auditor');
    const person = await server.personOf(org.id, org.owner);
    await addRepository('elsewhere', { contributor: person, author: person, reviewer: person });
    await inOrg(org.id, ({ db }) =>
      db.updateTable('repository').set({ provider: 'gitlab' }).where('name', '=', 'elsewhere').execute(),
    );
  });
  const granted = { ...grants.rol_auditor };
  afterEach(() => {
    grants.rol_auditor = { ...granted };
  });

  test('cannot see repositories of that host but sees all others', async () => {
    expect(await names(auditor)).toContain('elsewhere');
    const call = server.as(auditor, org.id);
    const { id } = await call(getRepository, { params: elsewhere });
    const uuid = newId();
    await inOrg(org.id, (tx) =>
      appendFacts(server.services, tx, org.id, [
        {
          id: uuid,
          kind: 'commit',
          asOf: at.toISOString(),
          actor: null,
          repositoryId: id,
          pullRequest: null,
          source: 'gitlab',
          summary: { phrase: 'A contributor committed', parameters: [] },
          detail: [],
          words: 'committed',
        },
      ]),
    );
    const eventCounts = async () => [
      (await call(queryEvents, { body: { query: 'committed' } })).events.length,
      (await call(queryEvents, { body: { query: 'repo:acme/elsewhere' } })).events.length,
    ];
    expect(await eventCounts()).toEqual([1, 1]);
    expect(await call(getEvent, { params: { eventId: uuid } })).toMatchObject({ uuid });
    delete grants.rol_auditor['read:gitlab-repos'];
    expect(await names(auditor)).toEqual(['committed', 'foreign', 'opened', 'reviewed']);
    expect(await eventCounts()).toEqual([0, 0]);
    const requests = [
      call(getRepository, { params: elsewhere }),
      call(getRepositoryById, { params: { repositoryId: id } }),
      call(listPullRequests, { params: elsewhere }),
      call(listContributors, { params: elsewhere }),
      call(getEvent, { params: { eventId: uuid } }),
    ];
    for (const refused of await Promise.all(requests.map(refusalOf))) {
      expect(refused).toEqual({ status: 404, code: 'not_found' });
    }
    expect((await call(listProviderRepos, {})).providerRepos.gitlab).toBeUndefined();
  });

  test('can list repositories without the GitHub permission, and gets 403 without any host permission', async () => {
    delete grants.rol_auditor['read:github-repos'];
    expect(await names(auditor)).toEqual(['elsewhere']);
    delete grants.rol_auditor['read:gitlab-repos'];
    expect(await names(auditor)).toEqual([]);
    for (const permission of readRepositories) delete grants.rol_auditor[permission];
    expect(await refusalOf(names(auditor))).toEqual({ status: 403, code: 'forbidden' });
  });

  test('cannot see vulnerabilities of that host', async () => {
    const call = server.as(auditor, org.id);
    const { id } = await call(getRepository, { params: elsewhere });
    await (await createTestScanner(server, org, id)).send([createScanResult()]);
    const total = async () => (await call(listFindings, {})).total;
    expect(await total()).toBe(1);
    delete grants.rol_auditor['read:gitlab-repos'];
    expect(await total()).toBe(0);
  });
});
