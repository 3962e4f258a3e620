import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Tx } from '#database/database.ts';
import { runWhileOpen } from '#testing/besides.ts';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { seedOrganization } from '../../../architecture/seed.ts';
import type { Seed } from '../../../architecture/seeded.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { recordBranchPush } from './commands.ts';
import { headPushesOf } from './pull-request-heads.ts';
import { checkBranchHead, markLossesRecovered } from './pushes.ts';

const server: TestServer = await shareTestServer();
let acme: Seed;
let start: string;
beforeEach(async () => {
  acme = await seedOrganization(server, `quokka-${crypto.randomUUID().slice(0, 8)}`);
  [{ after_sha: start } = { after_sha: '' }] = await rows<{ after_sha: string }>(
    'select after_sha from branch_push where org_id = $1',
  );
});
afterAll(() => server.close());

const inAcme = <Result>(work: Parameters<typeof server.services.database.withOrg<Result>>[1]) =>
  server.services.database.withOrg(acme.org.id, work);
const rows = <Row extends Record<string, unknown>>(text: string) =>
  inAcme((tx) => tx.query<Row>({ name: '', text, values: [acme.org.id] }));

const where = () => ({
  orgId: acme.org.id,
  repositoryId: acme.repositoryId,
  provider: 'github' as const,
  defaultBranch: 'main',
});
const push = (before: string | null, after: string | null, minute: number, more: Partial<BranchPush> = {}) =>
  inAcme((tx) =>
    recordBranchPush(server.services, tx, {
      where: where(),
      push: {
        branch: 'main',
        before,
        after,
        at: new Date(Date.UTC(2026, 3, 1, 9, minute)).toISOString(),
        atKnown: 'host',
        pusher: null,
        isForced: false,
        shas: after === null ? [] : [after],
        isWhole: true,
        source: 'webhook',
        activity: null,
        ...more,
      },
    }),
  );
const storedPushes = async () =>
  (
    await rows<{ before_sha: string; after_sha: string; version: number; completeness: string }>(
      `select before_sha, after_sha, version, completeness from branch_push where org_id = $1 and pushed_at > '2026-04-01'
       order by pushed_at, before_sha, version`,
    )
  ).map(
    ({ before_sha: before, after_sha: after, version, completeness }) =>
      `${before}→${after} ${version} ${completeness}`,
  );

/** Adds branches to the scope of a control. */
const addToScope = (branches: string) =>
  inAcme(({ db }) =>
    db
      .insertInto('control_setting')
      .values({
        org_id: acme.org.id,
        control_id: 'CHG-01',
        version: 900,
        setting: JSON.stringify({ branches: [branches] }),
        valid_from: new Date(),
        entry_id: crypto.randomUUID(),
      })
      .execute(),
  );

test('records a push once across repeated reports and sources', async () => {
  await push(start, 'b', 0);
  await push(start, 'b', 0);
  await push(start, 'b', 5, { source: 'activity' });
  expect(await storedPushes()).toEqual([`${start}→b 1 complete`]);
  const due = await rows('select id from change_task where org_id = $1 and push_id is not null');
  expect(due).toHaveLength(1);
});

test('starts a lost range at the last of several pushes within one second', async () => {
  const commits = [start, ...'bcdefghi'];
  for (const [index, before] of commits.slice(0, -1).entries()) await push(before, commits[index + 1] ?? null, 0);
  await push('k', 'l', 1);
  expect(await storedPushes()).toContain('i→k 1 lost');
});

test('records every push when a branch moves back and forth between two commits', async () => {
  await push(start, 'b', 0);
  await push('b', start, 20, { isForced: true });
  await push(start, 'b', 40);
  expect(await storedPushes()).toEqual([`${start}→b 1 complete`, `b→${start} 1 complete`, `${start}→b 1 complete`]);
});

test('matches a late webhook to the listed push, in either order', async () => {
  const late = { atKnown: 'received' } as const;
  const listed = { source: 'activity' } as const;
  await push(start, 'b', 0, listed);
  await push(start, 'b', 30, late);
  await push('b', 'c', 50, late);
  await push('b', 'c', 31, listed);
  expect(await storedPushes()).toEqual([`${start}→b 1 complete`, 'b→c 1 complete']);
});

test('records a push listed again after the branch moved back as another push', async () => {
  await push(start, 'b', 0, { atKnown: 'received' });
  await push('b', start, 20, { isForced: true, source: 'activity' });
  await push(start, 'b', 40, { source: 'activity' });
  expect(await storedPushes()).toEqual([`${start}→b 1 complete`, `b→${start} 1 complete`, `${start}→b 1 complete`]);
});

test('detects a lost push from an unknown start commit until it arrives late', async () => {
  await push(start, 'b', 0);
  await push('c', 'd', 10);
  expect(await storedPushes()).toEqual([`${start}→b 1 complete`, 'b→c 1 lost', 'c→d 1 complete']);
  await push('b', 'c', 5);
  expect(await storedPushes()).toEqual([`${start}→b 1 complete`, 'b→c 2 complete', 'b→c 1 lost', 'c→d 1 complete']);
});

test('recovers a loss of several pushes once known pushes cover it', async () => {
  await push(start, 'b', 0);
  await push('e', 'f', 30);
  await push('b', 'c', 10);
  expect((await storedPushes()).filter((row) => row.endsWith('recovered'))).toEqual([]);
  await push('c', 'e', 20);
  expect((await storedPushes()).filter((row) => row.startsWith('b→e'))).toEqual(['b→e 1 lost', 'b→e 2 recovered']);
});

test('recovers a loss detected months later from the host activity list', async () => {
  const listed = { source: 'activity' } as const;
  await push(start, 'b', 0, listed);
  await push('d', 'e', 0, { at: '2026-08-01T09:00:00Z' });
  await push('b', 'c', 1, listed);
  expect((await storedPushes()).filter((row) => row.startsWith('b→d'))).toEqual(['b→d 1 lost']);
  await push('c', 'd', 2, listed);
  expect((await storedPushes()).filter((row) => row.startsWith('b→d'))).toEqual(['b→d 1 lost', 'b→d 2 recovered']);
});

test('completes a truncated push by a second version, never the reverse', async () => {
  await push(start, 'b', 0, { isWhole: false });
  await push(start, 'b', 0);
  await push(start, 'b', 0, { isWhole: false });
  expect(await storedPushes()).toEqual([`${start}→b 1 truncated`, `${start}→b 2 complete`]);
});

test('records a push with more commits than the limit once across repeated reports', async () => {
  const shas = Array.from({ length: 10_001 }, (_, number) => `b${number}`);
  await push(start, 'b', 0, { shas });
  await push(start, 'b', 0, { shas, source: 'activity' });
  await push(start, 'b', 0, { shas });
  expect(await storedPushes()).toEqual([`${start}→b 1 truncated`]);
});

test('detects a lost push from a branch head that no push explains', async () => {
  await push(start, 'b', 0);
  expect(await inAcme((tx) => checkBranchHead(tx, where(), 'main', 'b'))).toBe(false);
  expect(await inAcme((tx) => checkBranchHead(tx, where(), 'main', 'x'))).toBe(true);
  expect(await inAcme((tx) => checkBranchHead(tx, where(), 'main', 'x'))).toBe(false);
});

test('a branch check waits for a push being written', async () => {
  await push(start, 'b', 0);
  const about = {
    atKnown: 'host',
    pusher: null,
    isForced: false,
    shas: ['c'],
    isWhole: true,
    source: 'webhook',
    activity: null,
  } as const;
  const at = '2026-04-01T09:10:00.000Z';
  const check = await runWhileOpen(
    server.services.database,
    acme.org.id,
    (tx) =>
      recordBranchPush(server.services, tx, {
        where: where(),
        push: { ...about, branch: 'main', before: 'b', after: 'c', at },
      }),
    (tx) => checkBranchHead(tx, where(), 'main', 'c'),
  );
  expect(check).toEqual({ status: 'fulfilled', value: false });
  expect(await storedPushes()).toEqual([`${start}→b 1 complete`, 'b→c 1 complete']);
});

test('recovers a loss once when two processes read the host activity list', async () => {
  await push(start, 'b', 0);
  await push('c', 'd', 10);
  const recover = (tx: Tx) => markLossesRecovered(tx, where(), 'main', '2026-12-01T00:00:00Z');
  expect(await runWhileOpen(server.services.database, acme.org.id, recover, recover)).toMatchObject({
    status: 'fulfilled',
  });
  expect((await storedPushes()).filter((row) => row.startsWith('b→c'))).toEqual(['b→c 1 lost', 'b→c 2 recovered']);
});

test('detects the loss of the very first push at the next branch check or push', async () => {
  const checkHead = (branch: string, head: string) => inAcme((tx) => checkBranchHead(tx, where(), branch, head));
  expect(await checkHead('release/1', 'a')).toBe(false);
  expect(await checkHead('release/1', 'a')).toBe(false);
  expect(await checkHead('release/1', 'b')).toBe(true);
  expect(await checkHead('release/2', 'a')).toBe(false);
  await addToScope('release/*');
  await push('b', 'c', 10, { branch: 'release/2' });
  expect(await storedPushes()).toEqual(expect.arrayContaining(['a→b 1 lost', 'b→c 1 complete']));
});

test('does not count pushes in transit at the first branch check as lost', async () => {
  expect(await inAcme((tx) => checkBranchHead(tx, where(), 'release/1', 'c'))).toBe(false);
  await addToScope('release/*');
  await push('a', 'b', 10, { branch: 'release/1' });
  await push('b', 'c', 11, { branch: 'release/1' });
  expect((await storedPushes()).filter((row) => / (lost|recovered)$/.test(row))).toEqual([
    'c→a 1 lost',
    'c→a 2 recovered',
  ]);
  await push('c', 'd', 12, { branch: 'release/1' });
  expect((await storedPushes()).at(-1)).toBe('c→d 1 complete');
});

test('a branch check during pushes in transit counts no loss twice', async () => {
  await push(start, 'b', 0);
  expect(await inAcme((tx) => checkBranchHead(tx, where(), 'main', 'e'))).toBe(true);
  const later = (minutes: number) => ({ at: new Date(Date.now() + minutes * 60_000).toISOString() });
  await push('b', 'c', 0, later(1));
  // No push from c to d was reported.
  await push('d', 'e', 0, later(2));
  expect((await storedPushes()).filter((row) => / (lost|recovered)$/.test(row))).toEqual([
    ...['b→e 1 lost', 'b→e 2 recovered', 'c→d 1 lost'],
  ]);
});

test('narrows a loss found by a branch check to what follows the pushes in transit', async () => {
  const checkHead = (head: string) => inAcme((tx) => checkBranchHead(tx, where(), 'main', head));
  const losses = async () => (await storedPushes()).filter((row) => / (lost|recovered)$/.test(row));
  await push(start, 'b', 0);
  expect(await checkHead('e')).toBe(true);
  expect(await checkHead('e')).toBe(false);
  await push('b', 'c', 1);
  await push('c', 'd', 2);
  expect(await losses()).toEqual(['b→e 1 lost']);
  expect(await checkHead('e')).toBe(true);
  expect(await losses()).toEqual(['b→e 1 lost', 'b→e 2 recovered', 'd→e 1 lost']);
  expect(await checkHead('e')).toBe(false);
  await push('d', 'D', 3);
  expect(await checkHead('e')).toBe(true);
  expect((await losses()).slice(2)).toEqual(['d→e 1 lost', 'd→e 2 recovered', 'D→e 1 lost']);
  await push('D', 'e', 4);
  expect(await storedPushes()).toContain('D→e 2 complete');
});

test('narrows a loss found by a branch check with the next push', async () => {
  await push(start, 'b', 0);
  expect(await inAcme((tx) => checkBranchHead(tx, where(), 'main', 'd'))).toBe(true);
  await push('b', 'c', 1);
  await push('d', 'e', 2);
  expect((await storedPushes()).filter((row) => / (lost|recovered)$/.test(row)).sort()).toEqual([
    ...['b→d 1 lost', 'b→d 2 recovered', 'c→d 1 lost'],
  ]);
});

test('keeps a pusher the host reports once and uses it as last pusher of pull requests', async () => {
  const by = (login: string) => ({ login, id: `{${login}}`, avatarUrl: null, isAgent: false });
  const pushBy = (login: string, branch: string, minute: number, hostListsPushes: boolean) =>
    inAcme((tx) => {
      const at = new Date(Date.UTC(2026, 3, 1, 9, minute)).toISOString();
      const about = { branch, before: null, after: 'x', at, atKnown: 'received', pusher: by(login) } as const;
      const content = { isForced: false, shas: ['x'], isWhole: true, source: 'webhook', activity: null } as const;
      const repository = { ...where(), provider: 'bitbucket' as const };
      return recordBranchPush(server.services, tx, {
        where: repository,
        push: { ...about, ...content },
        hostListsPushes,
      });
    });
  const pusherOf = (branch: string | null) =>
    inAcme(async (tx) => {
      const [push] = await headPushesOf(tx, acme.org.id, acme.repositoryId, { number: 77, branch });
      return push?.by;
    });
  await pushBy('ada', 'login', 0, true);
  expect(await pusherOf('login')).toBeUndefined();
  await pushBy('ada', 'login', 1, false);
  await pushBy('ada', 'login', 1, false);
  await pushBy('bob', 'another', 2, false);
  const found = await pusherOf('login');
  expect(found).toMatchObject({ kind: 'human', identity: 'resolved' });
  expect(await pusherOf('another')).not.toEqual(found);
  // The pusher of a pull request from another repository is unknown.
  expect(await pusherOf(null)).toBeUndefined();
  expect(await rows('select sha from head_push where org_id = $1')).toHaveLength(2);
});

test('rebuilds the record of a merge whose last push is reported afterwards', async () => {
  const by = { login: 'ada', id: '{ada}', avatarUrl: null, isAgent: false };
  const at = new Date().toISOString();
  const due = (sha: string) =>
    inAcme(async (tx) => {
      const content = { branch: 'login', before: null, after: sha, at, atKnown: 'received', pusher: by } as const;
      const more = { isForced: false, shas: [sha], isWhole: true, source: 'webhook', activity: null } as const;
      await recordBranchPush(server.services, tx, {
        where: { ...where(), provider: 'bitbucket' },
        push: { ...content, ...more },
        hostListsPushes: false,
      });
      return tx.query({
        name: '',
        text: 'select number, cause from change_task where org_id = $1 and push_id is null',
        values: [acme.org.id],
      });
    });
  await inAcme(async ({ db }) => {
    const row = await db
      .selectFrom('change_record')
      .where('org_id', '=', acme.org.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    const [parts, sources] = [JSON.stringify(row.parts), JSON.stringify(row.sources)];
    const merge = {
      id: crypto.randomUUID(),
      merge_method: 'pull_request',
      push_id: null,
      number: 77,
      head_sha: 'x',
      merged_at: at,
    };
    await db
      .insertInto('change_record')
      .values({ ...row, parts, sources, ...merge })
      .execute();
  });
  expect(await due('y')).toEqual([]);
  expect(await due('x')).toEqual([{ number: 77, cause: 'push' }]);
});

test('does not record pushes to branches outside the scope of every control', async () => {
  await push(start, 'b', 0, { branch: 'feature' });
  await addToScope('release/*');
  await push(start, 'b', 0, { branch: 'feature' });
  await push(start, 'b', 0, { branch: 'release/1' });
  const branches = await rows<{ branch: string }>(
    `select branch from branch_push where org_id = $1 and pushed_at > '2026-04-01'`,
  );
  expect(branches).toEqual([{ branch: 'release/1' }]);
});

test('the server can append change records but not update or delete them', async () => {
  await expect(rows(`update branch_start set sha = 'y' where org_id = $1`)).rejects.toThrow('permission denied');
  for (const table of [
    'branch_push',
    'reached_commit',
    'change_record',
    'protection_snapshot',
    'pull_request_push',
    'head_push',
  ]) {
    await expect(rows(`delete from ${table} where org_id = $1`)).rejects.toThrow('permission denied');
    await expect(rows(`update ${table} set entry_id = org_id where org_id = $1`)).rejects.toThrow('permission denied');
  }
});
