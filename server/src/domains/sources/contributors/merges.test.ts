import { listAudit } from '@sightline/contract/organization/audit.ts';
import {
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/sources/contributor-merges.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { ingestCommits } from '../ingest/commands.ts';

let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;
const params = { provider: 'github', repoPath: 'acme/api' } as const;

beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  repositoryId = await createTestRepository(server, acme, 'api');
});
afterAll(() => server.close());

let made = 0;
async function commit(name: string, email: string, count = 1): Promise<void> {
  const person = { name, email, login: null, avatarUrl: null };
  const commits = Array.from({ length: count }, () => {
    made += 1;
    const at = new Date(Date.UTC(2026, 2, 1, 10, made)).toISOString();
    const times = { authoredAt: at, committedAt: at };
    return {
      sha: made.toString(16).padStart(40, 'a'),
      message: 'Change it',
      author: person,
      committer: person,
      ...times,
      parents: [],
    };
  });
  await ingestCommits(server.services, acme.id, repositoryId, { commits, branch: 'main' });
}
const call = (account: TestAccount = acme.owner) => server.as(account, acme.id);
const merges = async () => call()(listContributorMerges, { params });
const pairs = async () =>
  (await merges()).map(({ decision, contributors }) => [decision, ...contributors.map(({ email }) => email)]);
const contributors = async () => {
  const { rows } = await call()(listContributors, { params, query: { sort: 'name-asc', perPage: 40 } });
  return rows.map(({ email, commits, merged }) => [email, commits, ...merged.map((one) => one.source)]);
};
const idsOf = async (...emails: string[]) => {
  const { rows } = await call()(listContributors, { params, query: { perPage: 40 } });
  return emails.map((email) => rows.find((row) => row.email === email)?.id ?? '') as [string, string];
};
const decide = (contributorIds: [string, string], decision: 'merged' | 'dismissed' = 'merged') =>
  call()(decideContributorMerge, { params, body: { contributorIds, decision } });

test('suggests merging people with identical full names, and merges none without a decision', {
  tags: 'full',
}, async () => {
  await commit('Zoë  Ångström', 'zoe@one.example', 2);
  await commit(' zoë ÅNGSTRÖM ', 'zoe@two.example');
  await commit('Ada', 'ada@one.example');
  await commit('Ada', 'ada@two.example');
  await commit('Bob Builder', 'bob@one.example');
  expect(await pairs()).toEqual([['suggested', 'zoe@one.example', 'zoe@two.example']]);
  expect(await contributors()).toHaveLength(5);
});

test('merges two contributors, undoes the merge and audits both', async () => {
  await commit('Zoë Ångström', 'zoe@one.example', 2);
  await commit('Zoë Ångström', 'zoe@two.example');
  const { id } = await decide(await idsOf('zoe@one.example', 'zoe@two.example'));
  expect(await pairs()).toEqual([['merged', 'zoe@one.example', 'zoe@two.example']]);
  expect(await contributors()).toEqual([['zoe@one.example', 3, 'owner']]);
  await call()(undoContributorMerge, { params: { ...params, mergeId: id } });
  expect(await pairs()).toEqual([['suggested', 'zoe@one.example', 'zoe@two.example']]);
  expect(await contributors()).toHaveLength(2);
  const { entries } = await call()(listAudit, { query: { action: ['person.merged', 'person.merge_undone'] } });
  expect(entries.map(({ sentence }) => sentence.map(({ text }) => text).join(' '))).toEqual([
    'undid a merge decision about Zoë Ångström',
    'merged Zoë Ångström with another contributor',
  ]);
});

test('suggests a dismissed merge again only after the dismissal is undone', async () => {
  await commit('Zoë Ångström', 'zoe@one.example', 2);
  await commit('Zoë Ångström', 'zoe@two.example');
  const { id } = await decide(await idsOf('zoe@one.example', 'zoe@two.example'), 'dismissed');
  expect(await pairs()).toEqual([['dismissed', 'zoe@one.example', 'zoe@two.example']]);
  expect(await contributors()).toHaveLength(2);
  await call()(undoContributorMerge, { params: { ...params, mergeId: id } });
  expect((await pairs()).map(([decision]) => decision)).toEqual(['suggested']);
});

test('rejects merges of two members and of persons who are no contributors of the repository', {
  tags: 'full',
}, async () => {
  const member = await server.make.member(acme.id, 'rol_contributor');
  await commit('Zoë Ångström', acme.owner.email, 2);
  await commit('Zoë Ångström', member.email);
  expect(await pairs()).toEqual([]);
  const ids = await idsOf(acme.owner.email, member.email);
  expect(await refusalOf(decide(ids))).toEqual({ status: 409, code: 'conflict' });
  expect(await refusalOf(decide([ids[0], newId()]))).toEqual({ status: 404, code: 'not_found' });
  expect(await refusalOf(decide([ids[0], ids[0]]))).toMatchObject({ code: 'validation_failed' });
  const mergeId = newId();
  const undo = call()(undoContributorMerge, { params: { ...params, mergeId } });
  expect(await refusalOf(undo)).toEqual({ status: 404, code: 'not_found' });
});

test('does not suggest erased persons', async () => {
  await commit('Zoë Ångström', 'zoe@one.example');
  await commit('Zoë Ångström', 'zoe@two.example');
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db.updateTable('person').set({ erased_at: new Date() }).where('org_id', '=', acme.id).execute(),
  );
  expect(await pairs()).toEqual([]);
});

test('allows only owners to list and decide merges', async () => {
  await commit('Zoë Ångström', 'zoe@one.example');
  await commit('Zoë Ångström', 'zoe@two.example');
  const contributorIds = await idsOf('zoe@one.example', 'zoe@two.example');
  const reviewer = await server.make.member(acme.id, 'rol_reviewer');
  const body = { contributorIds, decision: 'merged' } as const;
  expect(await refusalOf(call(reviewer)(listContributorMerges, { params }))).toMatchObject({ status: 403 });
  expect(await refusalOf(call(reviewer)(decideContributorMerge, { params, body }))).toMatchObject({ status: 403 });
});
