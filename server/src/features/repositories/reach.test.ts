import { listContributors } from '@sightline/contract/contributors.ts';
import { getPullRequestsMeta, listPullRequests } from '@sightline/contract/pull-requests.ts';
import {
  getRepository,
  getRepositoryById,
  listProviderRepos,
  listRepositories,
} from '@sightline/contract/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { makeRepository } from '#testing/findings.ts';
import { refusal, startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';

const at = new Date('2026-03-01T12:00:00Z');

let server: TestServer;
let org: TestOrganization;
let ada: TestAccount;
let reviewer: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
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
  const of = { org_id: org.id, repository_id: await makeRepository(server, org, name) };
  await inOrg(org.id, async ({ db }) => {
    await db
      .insertInto('contributor')
      .values({ ...of, person_id: by.contributor, name, email: 'a@b.example', commits: 1, last_commit: at })
      .execute();
    await db
      .insertInto('pull_request')
      .values({
        ...of,
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
        ...of,
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

test('a contributor sees the repositories they have worked in, everybody else all of them', async () => {
  expect(await names(ada)).toEqual(['committed', 'opened', 'reviewed']);
  expect(await names(reviewer)).toEqual(['committed', 'foreign', 'opened', 'reviewed']);
  expect((await server.as(ada, org.id)(listRepositories, {})).total).toBe(3);
  const { providerRepos } = await server.as(ada, org.id)(listProviderRepos, {});
  expect(providerRepos.github?.acme?.map(({ name }) => name)).toEqual(['committed', 'opened', 'reviewed']);
});

test('any other repository is not there for them, by whatever way they ask', async () => {
  const call = server.as(ada, org.id);
  const params = { provider: 'github' as const, repoPath: 'acme/foreign' };
  const { id } = await server.as(org.owner, org.id)(getRepository, { params });
  const asked = [
    call(getRepository, { params }),
    call(getRepositoryById, { params: { repositoryId: id } }),
    call(listPullRequests, { params }),
    call(getPullRequestsMeta, { params }),
    call(listContributors, { params }),
  ];
  for (const refused of await Promise.all(asked.map(refusal))) {
    expect(refused).toEqual({ status: 404, code: 'not_found' });
  }
  expect(await call(getRepository, { params: { ...params, repoPath: 'acme/opened' } })).toMatchObject({
    name: 'opened',
  });
});
