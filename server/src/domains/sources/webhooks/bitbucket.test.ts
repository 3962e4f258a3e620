import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { hookSecretLocation } from '../host-hooks/queries.ts';
import { webhookHelpers } from './deliveries.fixture.ts';

let server: TestServer;
let org: TestOrganization;
let hook: string;

beforeAll(async () => {
  server = await startTestServer({ jobs: true });
});
afterAll(() => server.close());
beforeEach(async () => {
  org = await server.make.organization();
  hook = await hookedRepository();
});

const { inOrg, waitUntilProcessed } = webhookHelpers(() => server);
const secret = 'a secret of the hook';
const uuid = '{bc771cbf-829e-4c4b-b71f-a0eb3ac2b860}';

/** Creates an enabled repository with our webhook in a workspace without a grant. Returns the ID of the webhook. */
async function hookedRepository(): Promise<string> {
  const [repositoryId, hookId] = [randomUUID(), randomUUID()];
  const { secrets } = server.services;
  await inOrg(org.id, async ({ db }) => {
    const shared = { org_id: org.id, provider: 'bitbucket', installation_id: `{${randomUUID()}}` };
    await db
      .insertInto('installation')
      .values({ ...shared, account_login: 'brydzewski', html_url: 'https://host.test', created_by: org.owner.id })
      .execute();
    await db
      .insertInto('repository')
      .values({
        ...shared,
        id: repositoryId,
        provider_repo_id: uuid,
        owner: 'brydzewski',
        name: 'foo',
        full_name: 'brydzewski/foo',
        default_branch: 'master',
        is_private: true,
        html_url: 'https://host.test',
        tracked: true,
      })
      .execute();
    const sealed = secrets.seal(hookSecretLocation(org.id, hookId), Buffer.from(secret));
    await db
      .insertInto('code_host_hook')
      .values({ org_id: org.id, id: hookId, repository_id: repositoryId, host_hook_id: '{h}', secret: sealed })
      .execute();
  });
  return hookId;
}

const post = (event: string, body: string, more: { word?: string; id?: string; at?: string } = {}) =>
  fetch(`${server.url}/api/webhooks/bitbucket?hook=${more.at ?? hook}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-event-key': event,
      'x-request-uuid': more.id ?? randomUUID(),
      'x-hub-signature': `sha256=${createHmac('sha256', more.word ?? secret)
        .update(body)
        .digest('hex')}`,
    },
  });

const pull = (
  state: string,
  at = '2026-01-01T10:00:00.000000+00:00',
  { number = 7, author = '{a}', closer = 'bob' } = {},
) =>
  JSON.stringify({
    repository: { uuid },
    pullrequest: {
      id: number,
      title: 'Let people in',
      state,
      author: { uuid: author, nickname: 'ada', type: 'user' },
      closed_by: state === 'OPEN' ? null : { uuid: '{b}', nickname: closer, type: 'user' },
      created_on: '2026-01-01T09:00:00.000000+00:00',
      updated_on: at,
      source: { branch: { name: 'login' }, commit: { hash: 'a'.repeat(12) } },
      destination: { branch: { name: 'master' }, commit: { hash: 'b'.repeat(12) } },
      links: { html: { href: 'https://host.test/7' } },
    },
  });

const pulls = () =>
  inOrg(org.id, ({ db }) =>
    db.selectFrom('pull_request').select(['number', 'status', 'title', 'head_ref']).orderBy('number').execute(),
  );
const commits = () =>
  inOrg(org.id, ({ db }) =>
    db
      .selectFrom('commit')
      .select(['sha', 'message', 'author_email', 'author_login'])
      .orderBy('committed_at')
      .execute(),
  );

test('accepts a delivery signed for the webhook once and rejects all others', async () => {
  const id = randomUUID();
  const first = await post('pullrequest:created', pull('OPEN'), { id });
  expect(await first.json()).toEqual({ accepted: true, duplicate: false });
  expect(await (await post('pullrequest:created', pull('OPEN'), { id })).json()).toMatchObject({ duplicate: true });
  expect((await post('pullrequest:created', pull('OPEN'), { word: 'another' })).status).toBe(401);
  expect((await post('pullrequest:created', pull('OPEN'), { at: randomUUID() })).status).toBe(401);
  expect((await post('pullrequest:created', pull('OPEN'), { id: 'none' })).status).toBe(400);
  expect((await post('no event', pull('OPEN'))).status).toBe(400);
  expect(await waitUntilProcessed(org.id)).toMatchObject([{ provider: 'bitbucket', hook_id: hook, error: null }]);
  expect(await pulls()).toEqual([{ number: 7, status: 'in-progress', title: 'Let people in', head_ref: 'login' }]);
});

test('imports the other commits of a push with a commit without date or author', async () => {
  const commit = {
    hash: 'c'.repeat(40),
    message: 'Whole',
    date: '2026-01-01T10:00:00+00:00',
    author: { raw: 'Ada <a@b.c>' },
  };
  const change = {
    old: { type: 'branch', name: 'master', target: { hash: 'a'.repeat(40) } },
    new: { type: 'branch', name: 'master', target: { hash: 'c'.repeat(40) } },
    commits: [
      commit,
      { hash: 'd'.repeat(40), message: 'Bare' },
      { hash: 'e'.repeat(40), message: 'x', date: commit.date },
    ],
  };
  await post('repo:push', JSON.stringify({ repository: { uuid }, push: { changes: [change] } }));
  expect(await waitUntilProcessed(org.id)).toMatchObject([{ error: null }]);
  expect((await commits()).map(({ sha }) => sha.slice(0, 1)).sort()).toEqual(['c', 'e']);
});

test('maps a pull request to accepted when merged and to closed when declined or superseded', async () => {
  for (const [event, state, now] of [
    ['fulfilled', 'MERGED', 'accepted'],
    ['rejected', 'DECLINED', 'closed'],
    ['rejected', 'SUPERSEDED', 'closed'],
  ] as const) {
    org = await server.make.organization();
    hook = await hookedRepository();
    await post('pullrequest:created', pull('OPEN'));
    await post(`pullrequest:${event}`, pull(state, '2026-01-01T11:00:00.000000+00:00'));
    await waitUntilProcessed(org.id);
    expect(await pulls()).toMatchObject([{ number: 7, status: now }]);
  }
});

test('keeps two people with the same nickname separate', async () => {
  for (const [number, author] of [
    [1, '{one}'],
    [2, '{two}'],
    [3, '{one}'],
  ] as const) {
    await post('pullrequest:created', pull('OPEN', undefined, { number, author }));
  }
  await post('pullrequest:fulfilled', pull('MERGED', undefined, { number: 4, author: '{one}', closer: 'ada' }));
  await waitUntilProcessed(org.id);
  const rows = await inOrg(org.id, ({ db }) =>
    db
      .selectFrom('pull_request')
      .select(['author_login', 'author_person', 'merged_by_person'])
      .orderBy('number')
      .execute(),
  );
  expect(rows.map(({ author_login }) => author_login)).toEqual(['ada', 'ada', 'ada', 'ada']);
  const [one, two, three, merged] = rows;
  expect(three?.author_person).toBe(one?.author_person);
  expect(two?.author_person).not.toBe(one?.author_person);
  expect(merged?.author_person).toBe(one?.author_person);
  expect(merged?.merged_by_person).not.toBe(merged?.author_person);
});

const folder = new URL('../../../../../../shared/fixtures/bitbucket/webhooks/', import.meta.url);

describe.skipIf(!existsSync(folder))('recorded deliveries (skipped where ../shared/fixtures is absent)', () => {
  const send = async (event: string, name: string) => {
    const answer = await post(event, readFileSync(new URL(`${name}.json`, folder), 'utf8'));
    expect(answer.status).toBe(202);
    await waitUntilProcessed(org.id);
  };
  const author = { author_email: 'brad.rydzewski@gmail.com', author_login: 'brydzewski' };

  test('import the commits of pushes to any branch, and none of tags and deletions', async () => {
    const tip = { sha: '141977fedf5cf35aa290ac87d4b5177ac4cd9de1', message: 'Update README', ...author };
    await send('repo:push', 'push_tag_create');
    await send('repo:push', 'push_tag_delete');
    expect(await commits()).toEqual([]);
    await send('repo:push', 'push');
    expect(await commits()).toEqual([tip]);
    await send('repo:push', 'push_branch_create');
    const imported = await commits();
    expect(imported).toContainEqual(tip);
    await send('repo:push', 'push_branch_delete');
    expect(await commits()).toEqual(imported);
  });

  test('set the status of pull requests', async () => {
    await send('pullrequest:created', 'pr_created');
    await send('pullrequest:updated', 'pr_updated');
    expect(await pulls()).toMatchObject([{ number: 1, status: 'in-progress', title: 'Awesome new feature' }]);
    await send('pullrequest:fulfilled', 'pr_fulfilled');
    await send('pullrequest:rejected', 'pr_declined');
    expect(await pulls()).toMatchObject([
      { number: 1, status: 'accepted' },
      { number: 2, status: 'closed' },
    ]);
  });
});
