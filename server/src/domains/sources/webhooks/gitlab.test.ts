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
const projectId = 4861503;

/** Creates an enabled repository with our webhook in a group without a grant. Returns the ID of the webhook. */
async function hookedRepository(): Promise<string> {
  const [repositoryId, hookId] = [randomUUID(), randomUUID()];
  await inOrg(org.id, async ({ db }) => {
    const shared = { org_id: org.id, provider: 'gitlab', installation_id: String(Math.floor(Math.random() * 1e9)) };
    await db
      .insertInto('installation')
      .values({ ...shared, account_login: 'gitlab-org', html_url: 'https://host.test', created_by: org.owner.id })
      .execute();
    await db
      .insertInto('repository')
      .values({
        ...shared,
        id: repositoryId,
        provider_repo_id: String(projectId),
        owner: 'gitlab-org',
        name: 'hello-world',
        full_name: 'gitlab-org/hello-world',
        default_branch: 'master',
        is_private: true,
        html_url: 'https://host.test',
        tracked: true,
      })
      .execute();
    const sealed = server.services.secrets.seal(hookSecretLocation(org.id, hookId), Buffer.from(secret));
    await db
      .insertInto('code_host_hook')
      .values({ org_id: org.id, id: hookId, repository_id: repositoryId, host_hook_id: '1', secret: sealed })
      .execute();
  });
  return hookId;
}

const tokenOf = (word: string) => createHmac('sha256', word).update('gitlab token').digest('hex');
const post = (body: string, { word = secret, id = randomUUID() as string, at = hook } = {}) =>
  fetch(`${server.url}/api/webhooks/gitlab?hook=${at}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-gitlab-token': tokenOf(word), 'idempotency-key': id },
  });

const project = {
  id: projectId,
  path_with_namespace: 'gitlab-org/hello-world',
  default_branch: 'master',
  visibility_level: 0,
  web_url: 'https://gitlab.com/gitlab-org/hello-world',
};
const merge = (state: string, action: string, at = '2026-01-01 10:00:00 UTC') =>
  JSON.stringify({
    object_kind: 'merge_request',
    project,
    user: { id: 1, username: 'ada' },
    object_attributes: {
      iid: 7,
      title: 'Let people in',
      state,
      action,
      author_id: 1,
      url: 'https://host.test/7',
      created_at: '2026-01-01 09:00:00 UTC',
      updated_at: at,
      target_branch: 'master',
      source_branch: 'login',
      last_commit: { id: 'a'.repeat(40) },
      merge_commit_sha: state === 'merged' ? 'b'.repeat(40) : null,
    },
  });

const pulls = () =>
  inOrg(org.id, ({ db }) =>
    db
      .selectFrom('pull_request')
      .select(['number', 'status', 'title', 'head_ref', 'author_login'])
      .orderBy('number')
      .execute(),
  );
const commits = () =>
  inOrg(org.id, ({ db }) =>
    db.selectFrom('commit').select(['sha', 'message', 'author_email']).orderBy('committed_at').execute(),
  );

test('rejects deliveries without a signature once the webhook signed one', async () => {
  const byToken = () => post(merge('opened', 'open'));
  expect((await byToken()).status).toBe(202);
  const [id, body] = [randomUUID(), merge('opened', 'update')];
  const signed = (age: number) => {
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    const key = createHmac('sha256', secret).update('gitlab signature').digest();
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return fetch(`${server.url}/api/webhooks/gitlab?hook=${hook}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
    });
  };
  // An expired signature is rejected and does not count as the first signed delivery.
  expect((await signed(3600)).status).toBe(401);
  expect((await byToken()).status).toBe(202);
  expect((await signed(0)).status).toBe(202);
  expect((await byToken()).status).toBe(401);
  expect((await signed(0)).status).toBe(202);
});

test('accepts a delivery with the token of the webhook once and rejects all others', async () => {
  const id = randomUUID();
  const opened = merge('opened', 'open');
  expect(await (await post(opened, { id })).json()).toEqual({ accepted: true, duplicate: false });
  expect(await (await post(opened, { id })).json()).toMatchObject({ duplicate: true });
  expect((await post(opened, { word: 'another' })).status).toBe(401);
  expect((await post(opened, { at: randomUUID() })).status).toBe(401);
  expect((await post('no json')).status).toBe(400);
  expect(await waitUntilProcessed(org.id)).toMatchObject([{ provider: 'gitlab', hook_id: hook, error: null }]);
  expect(await pulls()).toEqual([
    { number: 7, status: 'in-progress', title: 'Let people in', head_ref: 'login', author_login: 'ada' },
  ]);
});

test('maps a merge request to accepted or closed, and locked to in progress', async () => {
  for (const [state, action, now] of [
    ['locked', 'update', 'in-progress'],
    ['merged', 'merge', 'accepted'],
    ['closed', 'close', 'closed'],
  ] as const) {
    org = await server.make.organization();
    hook = await hookedRepository();
    await post(merge('opened', 'open'));
    await post(merge(state, action, '2026-01-01 11:00:00 UTC'));
    await waitUntilProcessed(org.id);
    expect(await pulls()).toMatchObject([{ number: 7, status: now }]);
  }
});

const folder = new URL('../../../../../../shared/fixtures/gitlab/webhooks/', import.meta.url);

describe.skipIf(!existsSync(folder))('recorded deliveries (skipped where ../shared/fixtures is absent)', () => {
  const send = async (name: string) => {
    const answer = await post(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
    expect(answer.status).toBe(202);
    await waitUntilProcessed(org.id);
  };

  test('import the commits of pushes, and none of tags and deletions', async () => {
    for (const name of ['tag_create', 'tag_delete', 'branch_delete']) await send(name);
    expect(await commits()).toEqual([]);
    await send('push');
    expect(await commits()).toEqual([
      {
        sha: '2adc9465c4edfc33834e173fe89436a7cb899a1d',
        message: 'added readme',
        author_email: 'noreply@gitlab.com',
      },
    ]);
  });

  test('set the status of merge requests', async () => {
    await send('pull_request_create');
    expect(await pulls()).toMatchObject([{ number: 1, status: 'in-progress', author_login: 'sytses' }]);
    await send('pull_request_merge');
    expect(await pulls()).toMatchObject([{ number: 1, status: 'accepted', title: 'update readme' }]);
  });
});
