import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStory } from '../testing/repository.ts';
import { startReceiver, startTestSandbox } from '../testing/sandbox.ts';
import { allScopes, createApiToken, createToken, createWorkspaceToken } from './bitbucket.ts';
import { issueCode } from './oauth.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;

beforeEach(async () => {
  story = await createStory();
  world = await startTestSandbox([story.path], { pollMs: 3_600_000, callbackUrl: 'https://app.test/back' });
});
afterEach(async () => {
  await world.sandbox.close();
  await story.remove();
});

const bearer = (token: string): string => `Bearer ${token}`;
const basic = (name: string, word: string): string => `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`;

const ask = async (path: string, authorization?: string, init: RequestInit = {}) => {
  const { bitbucket } = world.sandbox;
  const given = authorization ?? bearer(createWorkspaceToken(bitbucket, 'sandbox'));
  const url = path.startsWith('http') ? path : `${bitbucket.api}${path}`;
  const headers = { authorization: given, ...(init.body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(url, { ...init, headers });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
};

const personNamed = (login: string) => {
  const user = world.sandbox.host.users.byLogin.get(login);
  if (user === undefined) throw new Error(`Nobody is called ${login}.`);
  return user;
};

const hook = (url: string, secret?: string) =>
  ask('/repositories/sandbox/widgets/hooks', undefined, {
    method: 'POST',
    body: JSON.stringify({
      description: 'Sightline',
      url,
      active: true,
      ...(secret === undefined ? {} : { secret }),
      events: ['repo:push', 'repo:updated', 'pullrequest:created', 'pullrequest:fulfilled', 'pullrequest:approved'],
    }),
  });

test('lists the commits and pull requests of the GitHub sandbox under the same numbers', async () => {
  const [repository] = world.sandbox.host.repositories;
  const { json } = await ask('/repositories/sandbox/widgets/commits?include=main&pagelen=100');
  expect(json.values[0]).toMatchObject({
    hash: story.git(['rev-parse', 'main']),
    author: { raw: 'Ada Lovelace <ada@example.org>' },
  });
  expect(json.values).toHaveLength(Number(story.git(['rev-list', '--count', 'main'])));
  const states = ['OPEN', 'MERGED', 'DECLINED'].map((state) => `state=${state}`).join('&');
  const pulls = await ask(`/repositories/sandbox/widgets/pullrequests?${states}&pagelen=50`);
  expect(pulls.json.values.map(({ id }: { id: number }) => id).sort()).toEqual(
    repository?.git.pullRequests.map(({ number }) => number).sort(),
  );
  const open = await ask('/repositories/sandbox/widgets/pullrequests');
  expect(open.json.values).toMatchObject([{ state: 'OPEN', source: { branch: { name: 'wip/search' } } }]);
});

test('pages by complete addresses', async () => {
  const hashes: string[] = [];
  let next: string | undefined = '/repositories/sandbox/widgets/commits?include=main&pagelen=3';
  while (next !== undefined) {
    const { json } = await ask(next);
    hashes.push(...json.values.map(({ hash }: { hash: string }) => hash));
    next = json.next;
  }
  expect(hashes).toEqual(story.git(['rev-list', 'main']).split('\n'));
  expect((await ask('/repositories/sandbox/widgets/pullrequests?pagelen=100')).status).toBe(400);
});

test('reports the activity of a pull request with short commit hashes', async () => {
  const { json: pull } = await ask('/repositories/sandbox/widgets/pullrequests/7');
  expect(pull).toMatchObject({
    state: 'MERGED',
    title: 'Let people in',
    author: { nickname: 'zoe-a' },
    closed_by: { display_name: 'Bob' },
    participants: [{ user: { display_name: 'Bob' }, state: 'approved' }],
  });
  expect(pull.merge_commit.hash).toHaveLength(12);
  const { json: activity } = await ask('/repositories/sandbox/widgets/pullrequests/7/activity');
  expect(activity.values.map((entry: object) => Object.keys(entry)[1])).toEqual(['update', 'approval', 'update']);
  const { json: files } = await ask('/repositories/sandbox/widgets/pullrequests/7/diffstat');
  expect(files.values).toMatchObject([{ status: 'added', lines_added: 2, new: { path: 'src/login.ts' }, old: null }]);
});

test('shows files and folders of a commit', async () => {
  const { json } = await ask('/repositories/sandbox/widgets/src/main/?max_depth=10&pagelen=100');
  const files = json.values.filter(({ type }: { type: string }) => type === 'commit_file');
  expect(files.map(({ path }: { path: string }) => path)).toContain('docs/naïve ☃.md');
  const token = bearer(createWorkspaceToken(world.sandbox.bitbucket, 'sandbox'));
  const address = `${world.sandbox.bitbucket.api}/repositories/sandbox/widgets/src/main/src/start.ts`;
  const raw = await fetch(address, { headers: { authorization: token } });
  expect(await raw.text()).toBe('export const one = 1;\n');
  expect((await ask('/repositories/sandbox/widgets/src/main/none.ts')).status).toBe(404);
});

describe('authentication', () => {
  test('accepts a person with one of their addresses and a token', async () => {
    const token = createApiToken(world.sandbox.bitbucket, personNamed('ada'));
    expect(await ask('/user', basic('ada@example.org', token))).toMatchObject({
      status: 200,
      json: { nickname: 'ada' },
    });
    expect((await ask('/user', basic('bob@example.org', token))).status).toBe(401);
    expect((await ask('/user', bearer(token))).status).toBe(401);
    const { json } = await ask('/user/workspaces', basic('ada@example.org', token));
    expect(json.values).toMatchObject([{ administrator: true, workspace: { slug: 'sandbox' } }]);
  });

  test('limits a workspace token to its workspace', async () => {
    const { bitbucket } = world.sandbox;
    expect((await ask('/user/workspaces')).status).toBe(403);
    expect((await ask('/repositories/sandbox')).json.values).toMatchObject([{ full_name: 'sandbox/widgets' }]);
    expect((await ask('/repositories/sandbox', bearer(createWorkspaceToken(bitbucket, 'other')))).status).toBe(404);
  });

  test('names the missing scope', async () => {
    const { bitbucket } = world.sandbox;
    const limitedToken = createWorkspaceToken(bitbucket, 'sandbox', ['repository']);
    expect(await ask('/repositories/sandbox/widgets/hooks', bearer(limitedToken))).toMatchObject({
      status: 403,
      json: { error: { detail: { granted: ['repository'], required: ['webhook'] } } },
    });
    const past = { kind: 'access', login: 'ada', scopes: allScopes, expiresAt: Date.now() - 1 } as const;
    expect((await ask('/user', bearer(createToken(bitbucket, past)))).status).toBe(401);
  });

  test('authorizes an application: a code once, then tokens, then renewed ones', async () => {
    const { bitbucket, host } = world.sandbox;
    const exchange = async (fields: Record<string, string>, secret = host.app.clientSecret) => {
      const answer = await fetch(`${bitbucket.url}/site/oauth2/access_token`, {
        method: 'POST',
        headers: { authorization: basic(host.app.clientId, secret) },
        body: new URLSearchParams(fields),
      });
      return { status: answer.status, json: (await answer.json()) as Record<string, string> };
    };
    const code = issueCode(bitbucket, 'ada');
    expect((await exchange({ grant_type: 'authorization_code', code }, 'wrong')).status).toBe(401);
    const first = await exchange({ grant_type: 'authorization_code', code });
    expect((await ask('/user', bearer(first.json.access_token ?? ''))).json).toMatchObject({ nickname: 'ada' });
    expect((await exchange({ grant_type: 'authorization_code', code })).status).toBe(400);
    const refresh_token = first.json.refresh_token ?? '';
    const again = await exchange({ grant_type: 'refresh_token', refresh_token });
    expect(again.json.refresh_token).toBe(refresh_token);
    expect((await ask('/user', bearer(again.json.access_token ?? ''))).status).toBe(200);
  });
});

describe('webhooks', () => {
  test('send a signed push with its last five commits and the pull request', async () => {
    const receiver = await startReceiver();
    expect(await hook(receiver.url, 'a secret')).toMatchObject({ status: 201, json: { active: true } });
    // Creates the branch together with its commits, since the sandbox may poll in between.
    story.git(['checkout', '--quiet', '--detach']);
    for (let count = 1; count <= 6; count += 1) await story.commit(`Step ${count}`, { [`${count}.txt`]: 'x\n' });
    story.git(['branch', 'more']);
    await world.sandbox.refresh();
    const [push, created] = receiver.received;
    expect(push?.headers).toMatchObject({
      'x-event-key': 'repo:push',
      'x-hub-signature': `sha256=${createHmac('sha256', 'a secret')
        .update(push?.body ?? '')
        .digest('hex')}`,
    });
    const { push: pushPayload } = (push?.payload ?? {}) as { push: { changes: { commits: unknown[] }[] } };
    expect(pushPayload.changes).toMatchObject([{ old: null, new: { type: 'branch', name: 'more' }, truncated: true }]);
    expect(pushPayload.changes[0]?.commits).toHaveLength(5);
    expect(created?.payload).toMatchObject({
      pullrequest: { state: 'OPEN', title: 'More' },
      actor: { nickname: 'ada' },
    });
    await receiver.close();
  });

  test('are redelivered with the same ID until accepted, and stop when deleted', async () => {
    const receiver = await startReceiver(500);
    const { json } = await hook(receiver.url);
    world.sandbox.bitbucket.deliveries.pauses.splice(0, 2, 1, 1);
    await story.commit('One', { 'one.txt': '1\n' });
    await world.sandbox.refresh();
    expect(receiver.received.map(({ headers }) => headers['x-attempt-number'])).toEqual(['1', '2', '3']);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-request-uuid'])).size).toBe(1);
    const path = `/repositories/sandbox/widgets/hooks/${encodeURIComponent(json.uuid)}`;
    expect((await ask(path, undefined, { method: 'DELETE' })).status).toBe(204);
    await story.commit('Two', { 'two.txt': '2\n' });
    await world.sandbox.refresh();
    expect(receiver.received).toHaveLength(3);
    await receiver.close();
  });
});

const folder = new URL('../../../../shared/fixtures/bitbucket/', import.meta.url);

describe.skipIf(!existsSync(folder))('recorded responses (skipped if ../shared/fixtures is absent)', () => {
  const recorded = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const keys = (value: unknown): string[] => Object.keys(value as object);

  test.each([
    ['repo.json', '/repositories/sandbox/widgets'],
    ['commit.json', '/repositories/sandbox/widgets/commit/main'],
    ['pr.json', '/repositories/sandbox/widgets/pullrequests/7'],
  ])('has every field of %s', async (name, path) => {
    const { json } = await ask(path);
    // Participants of commits without approval, and the project of personal repositories.
    const absentFields = ['participants', 'project'];
    expect(keys(json)).toEqual(
      expect.arrayContaining(keys(recorded(`rest/${name}`)).filter((key) => !absentFields.includes(key))),
    );
  });

  test('have the same fields', async () => {
    const { json } = await hook('https://app.test/hooks');
    expect(keys(json)).toEqual(expect.arrayContaining(keys(recorded('rest/hook.json'))));
  });

  test('send a push with the same fields', async () => {
    const receiver = await startReceiver();
    await hook(receiver.url);
    await story.commit('One', { 'one.txt': '1\n' });
    await world.sandbox.refresh();
    const { push } = recorded('webhooks/push.json') as { push: { changes: { new: object; commits: object[] }[] } };
    const { push: ours } = (receiver.received[0]?.payload ?? {}) as unknown as { push: typeof push };
    expect(keys(ours.changes[0])).toEqual(expect.arrayContaining(keys(push.changes[0])));
    expect(keys(ours.changes[0]?.new)).toEqual(expect.arrayContaining(keys(push.changes[0]?.new)));
    expect(keys(ours.changes[0]?.commits[0])).toEqual(expect.arrayContaining(keys(push.changes[0]?.commits[0])));
    await receiver.close();
  });
});

test('names the simulated host on its pages', async () => {
  const page = await (await fetch(`${world.sandbox.bitbucket.url}/account/api-tokens`)).text();
  expect(page).toContain('<strong>Sandbox Bitbucket</strong> — not the real thing');
  expect(page).toContain('<title>Bitbucket tokens · Sandbox Bitbucket</title>');
});

describe('builds and branch restrictions', () => {
  const plant = async (path: string, body: object): Promise<number> => {
    const answer = await fetch(`${world.sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ repository: 'sandbox/widgets', ...body }),
    });
    return answer.status;
  };

  test('list the builds of a commit by their outcome, and its pull requests', async () => {
    const sha = story.git(['rev-parse', 'main']);
    for (const [name, conclusion] of [
      ['build', 'success'],
      ['docs', 'skipped'],
      ['test', 'failure'],
      ['deploy', 'cancelled'],
      ['scan', null],
    ] as const)
      expect(await plant('check', { sha, name, conclusion })).toBeLessThan(300);
    const { json } = await ask(`/repositories/sandbox/widgets/commit/${sha}/statuses`);
    expect(json.values.map((one: { key: string; state: string }) => [one.key, one.state])).toEqual([
      ['build', 'SUCCESSFUL'],
      ['docs', 'SUCCESSFUL'],
      ['test', 'FAILED'],
      ['deploy', 'STOPPED'],
      ['scan', 'INPROGRESS'],
    ]);
    const { json: pull } = await ask('/repositories/sandbox/widgets/pullrequests/7');
    const { json: pulls } = await ask(`/repositories/sandbox/widgets/commit/${pull.merge_commit.hash}/pullrequests`);
    expect(pulls.values.map(({ id }: { id: number }) => id)).toEqual([7]);
  });

  test('name each rule of a protected branch, and none of a branch that is not', async () => {
    const restrictions = async () =>
      (await ask('/repositories/sandbox/widgets/branch-restrictions')).json.values.map(
        ({ kind, value, pattern }: { kind: string; value: number | null; pattern: string }) => [kind, value, pattern],
      );
    expect(await restrictions()).toEqual([]);
    const rules = {
      requiredReviews: 2,
      dismissesStale: true,
      includesAdmins: true,
      allowsForcePush: false,
      allowsDeletion: false,
      requiredChecks: ['build', 'test'],
      ownerReviews: false,
      lastPushApproval: false,
    };
    expect(await plant('protect', { rules })).toBe(204);
    expect(await restrictions()).toEqual([
      ['force', null, 'main'],
      ['delete', null, 'main'],
      ['require_approvals_to_merge', 2, 'main'],
      ['reset_pullrequest_approvals_on_change', null, 'main'],
      ['enforce_merge_checks', null, 'main'],
      ['require_passing_builds_to_merge', 2, 'main'],
    ]);
    expect(await plant('protect', { rules: null })).toBe(204);
    expect(await restrictions()).toEqual([]);
  });
});
