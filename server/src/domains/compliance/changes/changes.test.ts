import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { accountField } from '@sightline/evidence/bundle/accounts.ts';
import { commitmentOf, disclosureOf } from '@sightline/evidence/ledger/entry.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { testConnectionEntryId } from '../../sources/webhooks/deliveries.fixture.ts';
import { startWorld } from './changes.fixture.ts';
import { queuePushImport } from './commands.ts';
import { readActivityList } from './refetch.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.close());

const complete = (value: unknown) => ({ state: 'complete', value });
const protection = {
  requiredReviews: 1,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: ['build'],
};

test('records a merge with authors, pusher, reviewers, merger, checks and branch protection', async () => {
  const { control, numberOf, recordOf, persons, story, rowsOf } = world;
  const number = numberOf('one');
  await control('push', { branch: 'one', by: 'zoe-a', files: { 'one.txt': '3\n' } });
  const head = story.git(['rev-parse', 'one']);
  await control('protect', { rules: protection });
  await control('plant', { number, body: 'No ticket.', labels: ['risk'], linkedIssues: [5] });
  await control('check', { sha: head, name: 'build' });
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  expect(record.missing).toEqual([]);
  expect(record).toMatchObject({ merge_method: 'pull_request', number, approval: 'yes', head_sha: head, version: 1 });
  const { parts } = record;
  expect(parts.headSha).toEqual(complete(head));
  expect(parts.authors.value).toHaveLength(1);
  const [zoe] = parts.authors.value;
  expect(zoe).toMatchObject({ kind: 'human', identity: 'resolved' });
  expect(parts.lastPusher).toEqual(complete(zoe));
  expect(parts.mergedBy).toEqual(complete({ kind: 'human', identity: 'resolved', person: persons.ada }));
  expect(parts.reviews.value).toMatchObject([
    {
      by: { kind: 'human', identity: 'resolved', person: persons.bob },
      verdict: 'approved',
      dismissedAt: complete(null),
      commit: complete(head),
      byActiveMember: complete(true),
    },
  ]);
  expect(parts.checks.value).toMatchObject([{ name: 'build', sha: head, conclusion: 'success' }]);
  expect(parts.requiredChecks).toEqual(complete(['build']));
  expect([parts.labels, parts.linkedIssues]).toEqual([complete(['risk']), complete(1)]);
  expect([parts.tickets, parts.sessionOwners, parts.ai]).toEqual([complete([]), complete([]), complete([])]);
  const [snapshot] = await rowsOf<{ state: string; trigger: string }>(
    'select state, trigger from protection_snapshot where org_id = $1 and id = $2',
    [record.protection_id],
  );
  expect(snapshot).toEqual({ state: 'read', trigger: 'merge' });
  const [entry] = await rowsOf<{ entry: string }>(
    'select entry from ledger_known where org_id = $1 and entry_id = $2',
    [record.entry_id],
  );
  expect(JSON.parse(entry?.entry ?? '')).toMatchObject({
    kind: 'change',
    subject: { change: record.id, version: 1, missing: [] },
  });
  const [repository] = await rowsOf<{ id: string }>(
    'select provider_repo_id as id from repository where org_id = $1',
    [],
  );
  expect(JSON.parse(entry?.entry ?? '').subject.origin).toEqual({
    host: new URL(world.server.config.github?.url ?? '').host,
    connection: testConnectionEntryId,
    repository: repository?.id,
  });
  // The entry commits to the account number of each person who took part, each under the key of that person.
  const people = await rowsOf<{ person: string; number: string }>(
    `select person_id as person, host_id as number from identity
     where org_id = $1 and kind = 'github' and person_id = any($2::uuid[])`,
    [record.persons],
  );
  expect(people.length).toBeGreaterThan(1);
  const keys = await world.inAcme((tx) =>
    world.server.services.people.keys(
      tx,
      world.acme.id,
      people.map(({ person }) => person),
    ),
  );
  for (const { person, number: account } of people) {
    const key = new Uint8Array(keys.get(person) ?? []);
    const disclosure = disclosureOf(String(record.entry_id), accountField(person), account, key);
    expect(JSON.parse(entry?.entry ?? '')._sd).toContain(commitmentOf(disclosure));
  }
  // The entry contains no personal data, only commitments.
  expect(entry?.entry).not.toMatch(/zoe-a|Lovelace|example[.]org|"One"/);
  const merges = async (query: string) => {
    const page = await world.server.as(world.acme.owner, world.acme.id)(queryEvents, {
      body: { query: `kind:pr is:merged pr:${number} ${query}` },
    });
    return page.events.length;
  };
  expect([await merges('review:approved'), await merges('no:review'), await merges('review:commented')]).toEqual([
    1, 0, 0,
  ]);
});

test('attributes every commit of a merge push to the pull request', async () => {
  const { rowsOf, numberOf, story } = world;
  const number = numberOf('one');
  await vi.waitFor(async () => {
    const rows = await rowsOf<{ sha: string; reached_by: string; number: number }>(
      'select sha, reached_by, number from reached_commit where org_id = $1 and branch = $2',
      ['main'],
    );
    const merged = story.git(['rev-list', 'main^1..main']).split('\n');
    expect(rows.filter(({ sha }) => merged.includes(sha)).map(({ reached_by: by, number: n }) => [by, n])).toEqual(
      merged.map(() => ['merged_pull_request', number]),
    );
  }, 20_000);
});

test('keeps a dismissed approval as given, with the time it ended', async () => {
  const { control, numberOf, recordOf, rowsOf } = world;
  const number = numberOf('two');
  await control('review', { number, by: 'bob' });
  await control('dismiss', { number, reviewer: 'bob', by: 'ada' });
  await control('merge', { number, by: 'ada', method: 'squash' });
  const record = await recordOf(number);
  expect(record.approval).toBe('no');
  const [review] = record.parts.reviews.value;
  expect(review).toMatchObject({ verdict: 'approved', dismissedAt: { state: 'complete', value: expect.any(String) } });
  const [row] = await rowsOf<{ state: string; dismissal_time_source: string }>(
    'select state, dismissal_time_source from review where org_id = $1 and number = $2',
    [number],
  );
  expect(row).toEqual({ state: 'approved', dismissal_time_source: 'received' });
});

test('records a direct push as its own change, with its pusher and no approval', async () => {
  const { control, directOf, persons, story, rowsOf } = world;
  await control('push', { by: 'bob', files: { 'direct.txt': 'd\n' } });
  const sha = story.git(['rev-parse', 'main']);
  const record = await directOf(sha);
  expect(record).toMatchObject({ merge_method: 'direct_push', number: null, approval: 'no' });
  expect(record.parts).toMatchObject({
    reviews: complete([]),
    lastPusher: { state: 'complete', value: { person: persons.bob } },
  });
  const [push] = await rowsOf<{ forced: string; completeness: string; time_source: string }>(
    'select forced, completeness, time_source from branch_push where org_id = $1 and after_sha = $2',
    [sha],
  );
  expect(push).toEqual({ forced: 'no', completeness: 'complete', time_source: 'host' });
});

test('records agents declared in commits once, with their session owner', async () => {
  const { control, directOf, story, rowsOf, persons } = world;
  const message = 'Write it\n\nCo-authored-by: Claude <noreply@anthropic.com>';
  await control('push', { by: 'bob', message, files: { 'agent.txt': 'a\n' } });
  const sha = story.git(['rev-parse', 'main']);
  const record = await directOf(sha);
  expect(record.has_agent).toBe(true);
  expect(record.parts.ai).toMatchObject(complete([{ confidence: 'declared' }]));
  expect(record.parts.sessionOwners.value).toContainEqual({ kind: 'human', identity: 'resolved', person: persons.bob });
  const rows = await rowsOf(
    `select agent, source, confidence, session_owner from ai_attribution a where org_id = $1 and commit_sha = $2
       and exists (select from ledger_known l where l.org_id = $1 and l.entry_id = a.entry_id)`,
    [sha],
  );
  expect(rows).toEqual([{ agent: 'Claude', source: 'trailer', confidence: 'declared', session_owner: persons.bob }]);
});

test('marks a push without a webhook as lost until the host activity list reports it', async () => {
  const { control, story, rowsOf, server, acme, inAcme, repositoryId, directOf } = world;
  await world.github.control('lose', { event: 'push' });
  await control('push', { by: 'ada', files: { 'lost.txt': 'l\n' } });
  const lost = story.git(['rev-parse', 'main']);
  await control('push', { by: 'ada', files: { 'found.txt': 'f\n' } });
  const found = story.git(['rev-parse', 'main']);
  await directOf(found);
  await inAcme((tx) => queuePushImport(server.services, tx, acme.id, repositoryId));
  const record = await directOf(lost);
  expect(record.merge_method).toBe('direct_push');
  const rows = await rowsOf<{ version: number; completeness: string; source: string }>(
    'select version, completeness, source from branch_push where org_id = $1 and after_sha = $2 order by version',
    [lost],
  );
  expect(rows).toEqual([
    { version: 1, completeness: 'lost', source: 'webhook' },
    { version: 2, completeness: 'complete', source: 'activity' },
  ]);
});

test('does not fetch a push again that has the maximum number of stored commits', async () => {
  const { control, github, story, rowsOf, server, acme, inAcme, repositoryId } = world;
  await github.control('lose', { event: 'push' });
  const before = story.git(['rev-parse', 'main']);
  await control('push', { by: 'ada', files: { 'many.txt': 'm\n' } });
  const after = story.git(['rev-parse', 'main']);
  const commits = Array.from({ length: 10_000 }, (_, number) => String(number).padStart(40, '0'));
  await inAcme(({ db }) =>
    db
      .insertInto('branch_push')
      .values({
        org_id: acme.id,
        id: newId(),
        version: 1,
        repository_id: repositoryId,
        branch: 'main',
        entry_id: newId(),
        before_sha: before,
        after_sha: after,
        pushed_at: new Date(),
        time_source: 'received',
        forced: 'no',
        completeness: 'truncated',
        commits,
        source: 'webhook',
        activity: 'push',
      })
      .execute(),
  );
  // Any comparison of the two commits fails.
  await github.control('faults', { match: `compare/${before}\\.\\.\\.${after}`, status: 500, times: 100 });
  try {
    await readActivityList(server.services, acme.id, repositoryId);
  } finally {
    await fetch(`${github.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  }
  expect(await rowsOf('select version from branch_push where org_id = $1 and after_sha = $2', [after])).toEqual([
    { version: 1 },
  ]);
});

test('marks an unreadable part missing with a reason until readable, and never drops known parts', async () => {
  const { control, numberOf, recordOf, github, installation, inAcme, server, acme, repositoryId } = world;
  const number = numberOf('three');
  await github.control('permissions', { installation, name: 'checks', level: 'none' });
  await github.control('permissions', { installation, name: 'administration', level: 'none' });
  await control('merge', { number, by: 'bob' });
  const record = await recordOf(number);
  expect(record.sources).toMatchObject({
    checks: { state: 'missing', reason: 'permission' },
    reviews: { state: 'complete' },
  });
  expect(record.missing).toContain('checks');
  await github.control('permissions', { installation, name: 'checks', level: 'read' });
  const rebuild = async () => {
    const { queueChange } = await import('./change-queue.ts');
    await inAcme((tx) =>
      queueChange(server.services, tx, acme.id, { repositoryId, change: { number }, cause: 'retry' }),
    );
  };
  await rebuild();
  const second = await recordOf(number, ({ version }) => expect(version).toBe(2));
  expect(second.sources.checks).toMatchObject({ state: 'complete', reason: null });
  await github.control('permissions', { installation, name: 'checks', level: 'none' });
  await rebuild();
  await vi.waitFor(async () => {
    const remaining = await inAcme(({ db }) =>
      db.selectFrom('change_task').select('id').where('number', '=', number).where('attempt', '=', 0).execute(),
    );
    expect(remaining).toEqual([]);
  }, 20_000);
  expect(await recordOf(number)).toMatchObject({ version: 2, sources: { checks: { state: 'complete' } } });
});

test('reads the commits of pushes from the host if it lists commits without parents', async () => {
  const { control, rowsOf, acme, inAcme, repositoryId, server, story, github } = world;
  const before = story.git(['rev-parse', 'main']);
  await github.control('lose', { event: 'push' });
  await control('push', { by: 'ada', files: { 'unread.txt': 'u\n' } });
  const lost = story.git(['rev-parse', 'main']);
  await inAcme(async (tx) => {
    await tx.db.updateTable('commit').set({ parents: null }).where('org_id', '=', acme.id).execute();
    await tx.query({
      name: 'test.importedCommit',
      text: `insert into commit select (jsonb_populate_record(c, jsonb_build_object('sha', $3::text))).*
             from commit c where org_id = $1 and sha = $2`,
      values: [acme.id, before, lost],
    });
  });
  // A push that created the branch, so that the stored history is read.
  const created = { ref: 'refs/heads/main', before: null, after: before, at: Date.now() - 10_000, by: null };
  github.sandbox.host.repositories[0]?.git.planted.pushes.push({ ...created, kind: 'branch_creation' });
  await readActivityList(server.services, acme.id, repositoryId);
  const pushes = await rowsOf(
    `select completeness, (select array_agg(sha order by sha) from unnest(commits) sha) as commits from branch_push
     where org_id = $1 and (after_sha = $2 or before_sha is null and after_sha = $3) order by before_sha`,
    [lost, before],
  );
  expect(pushes).toEqual([
    { completeness: 'complete', commits: [lost] },
    { completeness: 'complete', commits: story.git(['rev-list', before]).split('\n').toSorted() },
  ]);
});
