import { listAudit } from '@sightline/contract/organization/audit.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import type { PersonClaim } from '#core/people.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import type {
  HostCommit,
  HostPerson,
  HostPullRequest,
  HostReview,
  HostUser,
} from '../../../../providers/host-facts.ts';
import { ingestCommits, ingestPullRequest } from '../../../sources/ingest/commands.ts';
import { publishUnitedPersons, uniteAlikePersons } from './hand-over.ts';
import { claimNames } from './people.ts';

let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  repositoryId = await createTestRepository(server, acme, 'api');
});
afterAll(() => server.close());

let commitCount = 0;
const commitOf = (author: HostPerson): HostCommit => {
  commitCount += 1;
  const at = new Date(Date.UTC(2026, 2, 1, 10, commitCount)).toISOString();
  return {
    sha: commitCount.toString(16).padStart(40, '0'),
    message: 'Change it',
    author,
    committer: author,
    parents: [],
    authoredAt: at,
    committedAt: at,
  };
};
const pullRequestOf = (author: HostUser, number: number): HostPullRequest => ({
  number,
  title: 'Fix it',
  state: 'in-progress',
  draft: false,
  author,
  mergedBy: null,
  closedBy: null,
  createdAt: '2026-03-02T10:00:00Z',
  updatedAt: '2026-03-02T11:00:00Z',
  mergedAt: null,
  closedAt: null,
  baseRef: 'main',
  headRef: 'feature/x',
  headSha: 'f'.repeat(40),
  mergeSha: null,
  additions: 1,
  deletions: 0,
  changedFiles: 1,
  commits: 1,
  url: 'https://code.example/acme/api/pull/1',
});
const reviewOf = (user: HostUser): HostReview => ({
  id: '1',
  user,
  state: 'approved',
  sha: null,
  submittedAt: '2026-03-02T12:00:00Z',
});
const user = (login: string): HostUser => ({ login, avatarUrl: null, isAgent: false });
const author = (email: string, login: string | null): HostPerson => ({ name: 'Ada L.', email, login, avatarUrl: null });

const commit = (person: HostPerson) =>
  ingestCommits(server.services, acme.id, repositoryId, { commits: [commitOf(person)], branch: 'main' });
const open = (login: string, number: number, reviewer = login) =>
  ingestPullRequest(server.services, acme.id, {
    repositoryId,
    pullRequest: pullRequestOf(user(login), number),
    reviews: [reviewOf(user(reviewer))],
  });

const inOrg = <Row>(text: string, values: unknown[] = []) =>
  server.services.database.withOrg(acme.id, (tx) =>
    tx.query<Row & Record<string, unknown>>({ name: '', text, values: [acme.id, ...values] }),
  );
const waiting = async () =>
  (
    await server.services.database.pool.query<{ data: { persons: [string, string]; orgId: string; source: string } }>(
      `select data from pgboss.job where name = 'people.unite' and data->>'orgId' = $1`,
      [acme.id],
    )
  ).rows.map(({ data }) => data);
async function runJobs() {
  for (const data of await waiting()) for (const _ of [1, 2]) await uniteAlikePersons(server.services, data);
}
const personOf = async (value: string) =>
  (await inOrg<{ person_id: string }>('select person_id from identity where org_id = $1 and value = $2', [value]))[0]
    ?.person_id;
const find = async (query: string, account: TestAccount = acme.owner) =>
  (await server.as(account, acme.id)(queryEvents, { body: { query } })).events.length;
const contributors = async () =>
  (
    await server.as(acme.owner, acme.id)(listContributors, { params: { provider: 'github', repoPath: 'acme/api' } })
  ).rows.map(({ email, githubName, commits }) => ({ email, githubName, commits }));

test('merges an account whose pull request precedes its commits with the committer', async () => {
  await open('ada', 1);
  // A push contains no account, so the address is a separate person at first.
  await commit(author('ada@example.org', null));
  expect(await personOf('ada')).not.toBe(await personOf('ada@example.org'));
  expect([await find('actor:ada'), await find('actor:ada@example.org')]).toEqual([2, 1]);
  await commit(author('ada@example.org', 'ada'));
  expect(await contributors()).toHaveLength(2);
  await runJobs();
  expect(await personOf('ada')).toBe(await personOf('ada@example.org'));
  expect([await find('actor:ada'), await find('actor:ada@example.org')]).toEqual([4, 4]);
  expect([await find('actor:"Ada L."'), await find('-actor:ada')]).toEqual([4, 0]);
  expect(await contributors()).toEqual([{ email: 'ada@example.org', githubName: 'ada', commits: 2 }]);
  const [work] = await inOrg<{ people: number }>(
    `select count(distinct p)::int as people from (
       select author_person as p from pull_request where org_id = $1 union all select person_id from review where org_id = $1
       union all select person_id from contributor where org_id = $1 union all select person_id from committer where org_id = $1) x`,
  );
  expect(work?.people).toBe(1);
  const log = await server.as(acme.owner, acme.id)(listAudit, { query: { action: ['person.united'] } });
  expect(log.entries.map(({ actor, sentence }) => [actor.name, ...sentence.map(({ text }) => text)])).toEqual([
    ['GitHub', 'merged two persons into', 'ada'],
  ]);
});

test('returns one name for events that reference one person by login and by address', async () => {
  await open('ada', 1);
  await commit(author('ada@example.org', null));
  await commit(author('ada@example.org', 'ada'));
  await runJobs();
  const { events, people } = await server.as(acme.owner, acme.id)(queryEvents, { body: { query: 'actor:ada' } });
  const idents = events.flatMap(({ summary }) =>
    summary.parameters.flatMap(({ kind, ident }) => (kind === 'user' ? ident.toLowerCase() : [])),
  );
  expect([...new Set(idents)].toSorted()).toEqual(['ada', 'ada@example.org']);
  const { id } = people.ada ?? {};
  expect(id).toBe(await personOf('ada'));
  expect(people['ada@example.org']).toEqual(people.ada);
  expect(people.ada?.name).toBe('Ada L.');
});

test('a member keeps their identity and sees work recorded under the other name', async () => {
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  const own = await server.personOf(acme.id, contributor);
  await open('grace', 1);
  const repositories = () => server.as(contributor, acme.id)(listRepositories, {});
  expect([(await repositories()).total, await find('', contributor)]).toEqual([0, 0]);
  await commit(author(contributor.email, 'grace'));
  await runJobs();
  expect([await personOf('grace'), await server.personOf(acme.id, contributor)]).toEqual([own, own]);
  expect([(await repositories()).total, await find('', contributor), await find('actor:@me', contributor)]).toEqual([
    1, 3, 3,
  ]);
  // Recorded events keep the person that their ledger entries contain.
  expect(await inOrg('select from event where org_id = $1 and actor = $2', [own])).toEqual([]);
  const { events } = await server.as(contributor, acme.id)(queryEvents, { body: { query: 'kind:pull_request' } });
  expect(events).toHaveLength(2);
});

test('keeps two members separate regardless of code host data', async () => {
  const [one, other] = [
    await server.make.member(acme.id, 'rol_contributor'),
    await server.make.member(acme.id, 'rol_contributor'),
  ];
  await server.services.database.global((tx) =>
    claimNames(server.services, tx, one.id, [{ kind: 'github', value: 'linus' }]),
  );
  await commit(author(other.email, 'linus'));
  expect(await waiting()).toEqual([]);
  // The same applies if one of them became a member while the job waited.
  const persons = [await server.personOf(acme.id, one), await server.personOf(acme.id, other)] as [string, string];
  await uniteAlikePersons(server.services, { orgId: acme.id, persons, source: 'github' });
  expect([await server.personOf(acme.id, one), await server.personOf(acme.id, other)]).toEqual(persons);
});

test('merges no persons by a shared address', async () => {
  await commit(author('noreply@code.example', null));
  await open('ada', 1);
  await commit(author('noreply@code.example', 'ada'));
  expect(await waiting()).toEqual([]);
});

test('assigns concurrent writes to the remaining person', async () => {
  await open('ada', 1);
  await commit(author('ada@example.org', null));
  const { database, people } = server.services;
  const claim: PersonClaim = {
    names: [{ kind: 'email', value: 'ada@example.org' }],
    display: null,
    picture: null,
    source: 'github',
  };
  await commit(author('ada@example.org', 'ada'));
  let uniting: Promise<void> | undefined;
  await database.withOrg(acme.id, async (tx) => {
    const [before] = await people.resolve(tx, acme.id, [claim]);
    uniting = runJobs();
    // The merge waits for this transaction, which otherwise would write references to a merged person.
    await vi.waitFor(async () => {
      const rows = await tx.query({
        name: '',
        text: 'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
        values: [],
      });
      expect(rows).toHaveLength(1);
    }, 20_000);
    await tx.query({
      name: '',
      text: `insert into review (org_id, repository_id, number, review_id, person_id, login, state, submitted_at)
             values ($1, $2, 1, '2', $3, 'ada', 'approved', now())`,
      values: [acme.id, repositoryId, before],
    });
  });
  await uniting;
  const rows = await inOrg<{ person_id: string }>('select distinct person_id from review where org_id = $1');
  expect(rows.map((row) => row.person_id)).toEqual([await personOf('ada')]);
});

test('moves tools, commits and uninvited committers, and finds a person merged twice by every name', async () => {
  await open('ada', 1);
  await commit(author('ada@example.org', null));
  await commit(author('ada@home.example', null));
  const [first, home] = [await personOf('ada@example.org'), await personOf('ada@home.example')];
  await inOrg(
    `insert into tool_person (org_id, tab, tool_id, person_id, source, program, device_id, version, first_seen, last_seen, removed_at)
     values ($1, 'ci/cd', 'biome', $2, 'github-actions', '', $4, '1', '2026-01-01', '2026-01-02', '2026-01-02'),
            ($1, 'ci/cd', 'biome', $3, 'github-actions', '', $4, '2', '2026-01-02', '2026-01-03', null)`,
    [first, home, newId()],
  );
  await commit(author('ada@example.org', 'ada'));
  await runJobs();
  await commit(author('ada@home.example', 'ada'));
  await runJobs();
  const remaining = await personOf('ada');
  for (const from of [first, home]) {
    if (from !== remaining) await publishUnitedPersons(server.services, acme.id, from ?? '', remaining ?? '');
  }
  expect([await personOf('ada@example.org'), await personOf('ada@home.example')]).toEqual([remaining, remaining]);
  expect(
    await inOrg(
      `select person_id, version, first_seen::date::text as first, last_seen::date::text as last, removed_at
       from tool_person where org_id = $1`,
    ),
  ).toEqual([{ person_id: remaining, version: '2', first: '2026-01-01', last: '2026-01-03', removed_at: null }]);
  expect(await inOrg('select distinct author_person from commit where org_id = $1')).toEqual([
    { author_person: remaining },
  ]);
  expect(await inOrg('select person_id, uninvited from committer where org_id = $1')).toEqual([
    { person_id: remaining, uninvited: true },
  ]);
  expect([await find('actor:ada'), await find('actor:ada@home.example')]).toEqual([6, 6]);
});
