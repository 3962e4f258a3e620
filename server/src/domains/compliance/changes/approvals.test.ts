import { getChange } from '@sightline/contract/compliance/changes.ts';
import { zoe } from '@sightline/sandbox/testing/repository.ts';
import type { Insertable } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { DB } from '#database/tables.ts';
import { runWhileOpen } from '#testing/besides.ts';
import { superuserUrl } from '#testing/server.ts';
import { sampleUnlessFull } from '../../../../../scripts/full-suite.ts';
import { sequenceEntries } from '../../ledger/ledger/sequence.ts';
import { recordExtensionSession } from '../../tools/presence/commands.ts';
import { evaluatePopulation } from '../controls/evaluate-population.ts';
import { buildChangeRecord } from './build-change-record.ts';
import type { DueChange } from './change-queue.ts';
import { type StoredRecord, startWorld } from './changes.fixture.ts';
import { queueMerge } from './commands.ts';
import { recordHeadPush } from './pull-request-heads.ts';
import { lockBranch } from './push-store.ts';

const robot = { name: 'relay[bot]', email: '4712+relay[bot]@users.noreply.github.com' };
const webInterface = { name: 'GitHub', email: 'noreply@github.com' };

// Made with ssh-keygen; the host knows the key of neither account.
const signature = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAghn3Rdrkb60TDFhCdiseGPyhEyQ
mMOxdiFhheDCCQ/+MAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQKJoKDZ3wO3u7Kglh8hGbeoFM/zEMadQ92i6fYp3vQcSab24/6l84/f1Oxjl1Gx8x/
7ejI+KmUmR/brvMOnMVgw=
-----END SSH SIGNATURE-----
`;

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world.close());

/** The evaluated rows of a control whose subjects begin with a text. */
async function rowsOfControl(control: 'CHG-01' | 'CHG-02', subject: string) {
  const { acme, inAcme, server } = world;
  while ((await sequenceEntries(server.services.ledger, acme.id)) > 0);
  const { run } = await inAcme(async (tx) => {
    const text = 'select epoch, size from ledger_log where org_id = $1 order by epoch desc limit 1';
    const [log] = await tx.query<{ epoch: number; size: number }>({ name: '', text, values: [acme.id] });
    const asOf = { epoch: Number(log?.epoch), size: Number(log?.size), at: new Date().toISOString() };
    const period = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
    return evaluatePopulation(tx, { orgId: acme.id, period, asOf }, control);
  });
  return run.rows.filter((row) => row.subject.startsWith(subject));
}

/** The reasons for the approval status of a change, without the IDs of reviews. */
const reasonsOf = async (changeId: string): Promise<string[]> => {
  const { acme, server } = world;
  const change = await server.as(acme.owner, acme.id)(getChange, { params: { id: changeId } });
  return change.approvalReasons.map(({ code }) => code);
};

test('an approver who pushed in the middle under the name of the author is not independent', {
  tags: ['full'],
}, async () => {
  const { control, numberOf, persons, recordOf } = world;
  const number = numberOf('one');
  await control('push', { branch: 'one', by: 'bob', author: 'zoe-a', files: { 'one.txt': '3\n' } });
  await control('push', { branch: 'one', by: 'zoe-a', files: { 'one.txt': '4\n' } });
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  expect(record.parts.earlierPushers).toMatchObject({ state: 'complete', value: expect.any(Array) });
  expect(record.parts.earlierPushers.value.map(({ person }: { person: string }) => person)).toContain(persons.bob);
  expect(await reasonsOf(record.id)).toEqual(['no_independent_approval', 'approved_by_earlier_pusher']);
  expect(record.approval).toBe('no');
});

/** A merged pull request with two pushes of Zoë, and a report that Bob made the first one. */
async function mergeWithUnreportedPush(branch: string) {
  const { acme, control, inAcme, persons, recordOf, repositoryId, server, story } = world;
  const number = await openPullRequest(branch);
  await control('push', { branch, by: 'zoe-a', files: { [`${branch}.txt`]: '2\n' } });
  await control('merge', { number, by: 'ada' });
  const pushersOf = ({ parts }: StoredRecord) =>
    parts.earlierPushers.value.map(({ person }: { person: string }) => person);
  const record = await recordOf(number);
  expect(pushersOf(record)).not.toContain(persons.bob);
  const head: string = record.parts.headSha.value;
  const middle = story.git(['rev-parse', `${head}~1`]);
  const where = { orgId: acme.id, repositoryId, provider: 'github' } as const;
  const report = (tx: Tx, after: string, before: string | null, login: string) =>
    recordHeadPush(server.services, tx, where, {
      branch,
      before,
      after,
      at: new Date().toISOString(),
      atKnown: 'received',
      pusher: { login, avatarUrl: null, isAgent: false },
      isForced: null,
      shas: [],
      isWhole: true,
      source: 'webhook',
      activity: null,
    });
  await inAcme((tx) => report(tx, head, middle, 'ada'));
  const queued = () => world.rowsOf('select id from change_task where org_id = $1 and id = $2', [record.id]);
  await vi.waitFor(async () => expect(await queued()).toEqual([]), { timeout: 30_000, interval: 100 });
  return {
    number,
    record,
    reportMiddle: (tx: Tx) => report(tx, middle, null, 'bob'),
    expectBob: () => recordOf(number, (later) => expect(pushersOf(later)).toContain(persons.bob)),
  };
}

test('a push in the middle that is reported after the merge is added to the record', async () => {
  const { expectBob, reportMiddle } = await mergeWithUnreportedPush('late');
  await world.inAcme(reportMiddle);
  await expectBob();
});

test('a push in the middle that is reported while the record is built is in the record', async () => {
  const { acme, repositoryId, server } = world;
  const { expectBob, number, record, reportMiddle } = await mergeWithUnreportedPush('meanwhile');
  await deleteRecordAndPush(record.id, String(record.merge_sha));
  const due: DueChange = { id: record.id, repositoryId, of: { number }, cause: 'review', attempt: 0 };
  const built = await runWhileOpen(server.services.database, acme.id, reportMiddle, () =>
    buildChangeRecord(server.services, acme.id, due),
  );
  expect(built).toMatchObject({ status: 'fulfilled' });
  await expectBob();
});

test('a pull request whose commits were pushed directly was not merged, although the host shows it as merged', {
  tags: ['full'],
}, async () => {
  const { control, recordOf } = world;
  const number = await openPullRequest('pushed');
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada', isPushed: true });
  const record = await recordOf(number);
  expect(record.merge_method).toBe('pull_request');
  expect(record.parts.hostActivity).toEqual({ state: 'complete', value: 'push' });
  expect(await reasonsOf(record.id)).toEqual(['merged_by_push']);
  const merged = await openPullRequest('merged');
  await control('review', { number: merged, by: 'bob' });
  await control('merge', { number: merged, by: 'ada' });
  const other = await recordOf(merged);
  expect(other.parts.hostActivity).toEqual({ state: 'complete', value: 'pull_request_merge' });
  expect(other.approval).toBe('yes');
  const verdictOf = async (sha: unknown) =>
    (await rowsOfControl('CHG-02', 'commit:')).find(({ subject }) => subject.endsWith(String(sha)));
  expect(await verdictOf(record.merge_sha)).toMatchObject({ verdict: 'fail', reasons: ['merged_by_push'] });
  // A job reads the activity of the push.
  await vi.waitFor(
    async () =>
      expect(await verdictOf(other.merge_sha)).toMatchObject({ verdict: 'pass', reasons: ['by_pull_request'] }),
    { timeout: 30_000, interval: 500 },
  );
});

test('the activity of a push that a webhook reported is read from the list of the host', {
  tags: ['full'],
}, async () => {
  const { control, recordOf, rowsOf } = world;
  const number = await openPullRequest('unread');
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada', isPushed: true });
  const record = await recordOf(number);
  const activities = () =>
    rowsOf<{ activity: string | null }>(
      'select activity from branch_push where org_id = $1 and after_sha = $2 order by version desc limit 1',
      [record.merge_sha],
    );
  await vi.waitFor(async () => expect(await activities()).toEqual([{ activity: 'push' }]), { timeout: 30_000 });
});

test.each(sampleUnlessFull(['squash', 'merge'], 1, 0))(
  'a file that only the merged commit of a %s has is not approved',
  async (method) => {
    const { control, recordOf, rowsOf } = world;
    const number = await openPullRequest(`smuggled-${method}`);
    await control('review', { number, by: 'bob' });
    await control('merge', { number, by: 'ada', method, files: { 'smuggled.txt': `${method}\n` } });
    const record = await recordOf(number);
    expect(record.parts.unreviewedFiles).toEqual({ state: 'complete', value: 1 });
    expect(await reasonsOf(record.id)).toEqual(['merge_has_own_content', 'no_independent_approval']);
    // The record does not contain names of files.
    const [row] = await rowsOf<{ parts: string }>(
      'select parts::text from change_record where org_id = $1 and id = $2',
      [record.id],
    );
    expect(row?.parts).not.toContain('smuggled.txt');
  },
);

test.each(['merge', 'squash', 'rebase'])(
  'the content of a %s after both branches changed the same file is the reviewed one',
  { tags: ['full'] },
  async (method) => {
    const { control, recordOf } = world;
    const [branch, file] = [`both-${method}`, `shared-${method}.txt`];
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`);
    const changed = (line: number, text: string) => `${lines.with(line, text).join('\n')}\n`;
    await control('push', { by: 'ada', files: { [file]: `${lines.join('\n')}\n` } });
    const number = await openPullRequest(branch);
    await control('push', { branch, by: 'zoe-a', files: { [file]: changed(2, 'of the pull request') } });
    await control('push', { by: 'ada', files: { [file]: changed(17, 'of the target branch') } });
    await control('review', { number, by: 'bob' });
    await control('merge', { number, by: 'ada', method });
    const record = await recordOf(number);
    expect(record.parts.unreviewedFiles).toEqual({ state: 'complete', value: 0 });
    expect(record.approval).toBe('yes');
  },
);

test('a push that is stored while the record of its merge is built completes the record', {
  tags: ['full'],
}, async () => {
  const { acme, control, recordOf, repositoryId, rowsOf, server } = world;
  const number = await openPullRequest('concurrent');
  await control('push', { branch: 'concurrent', by: 'zoe-a', files: { 'concurrent.txt': '2\n' } });
  await control('merge', { number, by: 'ada', method: 'rebase' });
  const { id, merge_sha } = await recordOf(number, ({ parts }) =>
    expect(parts.unreviewedFiles).toEqual({ state: 'complete', value: 0 }),
  );
  const push = await deleteRecordAndPush(id, String(merge_sha));
  const due: DueChange = { id, repositoryId, of: { number }, cause: 'review', attempt: 0 };
  const built = await runWhileOpen(
    server.services.database,
    acme.id,
    async (tx) => {
      await lockBranch(tx, repositoryId, 'main');
      await tx.db.insertInto('branch_push').values(push).execute();
    },
    () => buildChangeRecord(server.services, acme.id, due),
  );
  expect(built).toMatchObject({ status: 'fulfilled' });
  await recordOf(number, ({ parts }) => expect(parts.unreviewedFiles).toEqual({ state: 'complete', value: 0 }));
  const versions = await rowsOf(
    `select cause, parts->'unreviewedFiles'->>'state' as state from change_record
     where org_id = $1 and id = $2 order by version`,
    [id],
  );
  expect(versions).toEqual([
    { cause: 'review', state: 'missing' },
    { cause: 'push', state: 'complete' },
  ]);
});

/** Deletes a record and the push of its commit, which the server cannot. Returns the row of the push. */
async function deleteRecordAndPush(id: string, sha: string): Promise<Insertable<DB['branch_push']>> {
  const client = new pg.Client({ connectionString: superuserUrl(world.server.databaseUrl) });
  await client.connect();
  await client.query('delete from change_record where id = $1', [id]);
  const { rows } = await client.query('delete from branch_push where after_sha = $1 returning *', [sha]);
  await client.end();
  return rows[0];
}

test('a change of a reviewed file in the merged commit is not the reviewed one', { tags: ['full'] }, async () => {
  const { control, recordOf } = world;
  const number = await openPullRequest('changed');
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada', files: { 'changed.txt': 'Not what Bob saw\n' } });
  const record = await recordOf(number);
  expect(record.parts.unreviewedFiles).toEqual({ state: 'complete', value: 1 });
  expect(record.approval).toBe('no');
});

test('commits that a program pushed may be those of the approver, unless their signature is verified', {
  tags: ['full'],
}, async () => {
  const { control, recordOf, story } = world;
  // The host learns of the account of the program.
  story.git(['checkout', '--quiet', '-b', 'robot', 'main']);
  await story.commit('Begin robot', { 'robot.txt': 'r\n' }, robot);
  story.git(['checkout', '--quiet', '--detach', 'main']);
  await control('refresh', {});
  const number = await openPullRequest('relayed');
  await control('push', { branch: 'relayed', by: 'relay[bot]', author: 'zoe-a', files: { 'relayed.txt': 'By Bob\n' } });
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  expect(record.parts.unattestedCommits).toEqual({ state: 'complete', value: 1 });
  expect(await reasonsOf(record.id)).toEqual(['authors_unattested']);
  expect(record.approval).toBe('unknown');
  const signed = await openPullRequest('signed');
  story.git(['checkout', '--quiet', 'signed']);
  const sha = await story.commit('In the web interface', { 'signed.txt': '2\n' }, webInterface);
  story.git(['checkout', '--quiet', '--detach', 'main']);
  await control('refresh', {});
  await control('review', { number: signed, by: 'bob', commit: sha });
  await control('merge', { number: signed, by: 'ada' });
  const other = await recordOf(signed);
  expect(other.parts.unattestedCommits).toEqual({ state: 'complete', value: 0 });
});

test('CHG-01 flags a pass that depends on a member who was added minutes before', async () => {
  const { control, recordOf } = world;
  const number = await openPullRequest('joined');
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number, ({ approval }) => expect(approval).toBe('yes'));
  const [review] = record.parts.reviews.value;
  expect(review.memberSince).toEqual({ state: 'complete', value: expect.any(String) });
  const [row] = await rowsOfControl('CHG-01', `change:${record.id}`);
  expect(row).toMatchObject({
    verdict: 'pass',
    reasons: [`approver_joined_recently:${review.id}`, 'independent_approval'],
  });
});

test('a second member account of the author, known by a confirmed address, is not independent', async () => {
  const { acme, control, inAcme, member, numberOf, recordOf, server } = world;
  const number = numberOf('three');
  const second = await server.make.member(acme.id, 'rol_contributor');
  // The account of Zoë on the host belongs to the second account of Bob.
  const [zoeOnHost] = await world.rowsOf<{ person: string }>(
    `select person_id as person from identity where org_id = $1 and kind = 'github' and value = 'zoe-a'`,
  );
  await inAcme(({ db }) =>
    db
      .updateTable('identity')
      .set({ person_id: zoeOnHost?.person ?? '' })
      .where('org_id', '=', acme.id)
      .where('kind', '=', 'account')
      .where('value', '=', second.id)
      .execute(),
  );
  const setAddress = (id: string, email: string) =>
    server.services.database.global(({ db }) =>
      db.updateTable('account').set({ email, email_verified_at: new Date() }).where('id', '=', id).execute(),
    );
  await setAddress(member.id, 'bob@example.org');
  await setAddress(second.id, 'Bob+second@example.org');
  await control('review', { number, by: 'zoe-a' });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  expect(await reasonsOf(record.id)).toContain('approved_by_author');
  expect(record.parts.reviews.value[0].by.sameAs).toMatchObject([{ by: 'address' }]);
  // A later change of the address does not make the approval independent.
  await setAddress(second.id, 'another@example.org');
  await inAcme((tx) =>
    queueMerge(server.services, tx, acme.id, {
      repositoryId: world.repositoryId,
      merge: { number, mergedAt: new Date().toISOString() },
    }),
  );
  await vi.waitFor(
    async () => expect(await world.rowsOf('select id from change_task where org_id = $1 and attempt = 0')).toEqual([]),
    { timeout: 30_000, interval: 200 },
  );
  expect((await recordOf(number)).approval).toBe('no');
});

test('an approver who signed commits with the key of the author is not independent', { tags: ['full'] }, async () => {
  const { control, persons, recordOf } = world;
  const number = await openPullRequest('keyed');
  await control('push', { by: 'bob', files: { 'of-bob.txt': 'b\n' }, signature });
  await control('push', { branch: 'keyed', by: 'zoe-a', files: { 'keyed.txt': '2\n' }, signature });
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number, ({ approval }) => expect(approval).toBe('no'));
  expect(await reasonsOf(record.id)).toContain('approved_by_author');
  const [author] = record.parts.authors.value;
  expect(author.sameAs).toEqual([{ person: persons.bob, by: 'key' }]);
});

test.each(['ide', 'browser'])('an approver who used the same %s as the author is not independent', async (side) => {
  const { acme, control, inAcme, member, persons, recordOf, server } = world;
  const second = await server.make.member(acme.id, 'rol_contributor');
  const person = await server.personOf(acme.id, second);
  const login = `second-${side}`;
  await inAcme(({ db }) =>
    db
      .insertInto('identity')
      .values({
        org_id: acme.id,
        kind: 'github',
        value: login,
        person_id: person,
        source: 'test',
        confidence: 'declared',
      })
      .execute(),
  );
  const device = newId();
  if (side === 'browser') for (const account of [member, second]) await connectBrowser(account.id, device);
  else for (const one of [persons.bob, person]) await reportEditor(one, device);
  world.story.git(['checkout', '--quiet', '-b', login, 'main']);
  await world.story.commit(
    `Begin ${login}`,
    { [`${login}.txt`]: 'x\n' },
    { name: login, email: `4713+${login}@users.noreply.github.com` },
  );
  world.story.git(['checkout', '--quiet', '--detach', 'main']);
  await control('refresh', {});
  const number = world.numberOf(login);
  await control('review', { number, by: 'bob' });
  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  expect(await reasonsOf(record.id)).toContain('approved_by_author');
  expect(record.parts.reviews.value[0].by.sameAs).toEqual([{ person, by: 'device' }]);
});

const connectBrowser = (accountId: string, sessionId: string) =>
  recordExtensionSession(
    world.server.services.database,
    {
      orgId: world.acme.id,
      accountId,
      session: { side: 'browser', sessionId, type: 'chrome', version: '1.0.0' },
    },
    undefined,
  );

const reportEditor = (person: string, device: string) =>
  world.inAcme((tx) =>
    tx.query({
      name: '',
      text: `insert into tool_person (org_id, tab, tool_id, person_id, source, program, device_id, first_seen, last_seen)
             values ($1, 'extensions', 'sightline.sightline', $2, 'vscode', 'vscode', $3, now(), now())`,
      values: [world.acme.id, person, device],
    }),
  );

/** Opens a pull request of Zoë with one new file, named as its branch. Returns its number. */
async function openPullRequest(branch: string): Promise<number> {
  const { control, numberOf, story } = world;
  story.git(['checkout', '--quiet', '-b', branch, 'main']);
  await story.commit(`Begin ${branch}`, { [`${branch}.txt`]: `${branch}\n` }, zoe);
  story.git(['checkout', '--quiet', '--detach', 'main']);
  await control('refresh', {});
  return numberOf(branch);
}
