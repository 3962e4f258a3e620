import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStory } from '../testing/repository.ts';
import { startReceiver, startTestSandbox } from '../testing/sandbox.ts';
import { currentKey } from './tenant.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;

beforeEach(async () => {
  story = await createStory();
  world = await startTestSandbox([story.path], { pollMs: 3_600_000 });
});
afterEach(async () => {
  await world.sandbox.close();
  await story.remove();
});

const exchange = async (realm: string, key: string) => {
  const answer = await fetch(`${world.sandbox.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'ast-app', refresh_token: key }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};
const signIn = async () => (await exchange('sandbox', currentKey(world.sandbox.tenant))).body.access_token ?? '';
const get = async (token: string, path: string) => {
  const answer = await fetch(`${world.sandbox.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, text: await answer.text() };
};
const json = async (token: string, path: string) => JSON.parse((await get(token, path)).text);
const control = (path: string, body: object) =>
  fetch(`${world.sandbox.url}/_sandbox/checkmarx/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('accepts a key in its own realm until it expires', async () => {
  const key = currentKey(world.sandbox.tenant);
  expect((await exchange('sandbox', key)).status).toBe(200);
  expect((await exchange('Sandbox', key)).status).toBe(404);
  expect(await exchange('sandbox', `${key}x`)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const token = await signIn();
  expect((await get(token, '/projects')).status).toBe(200);
  await control('expire-key', {});
  expect((await exchange('sandbox', key)).body.error_description).toBe('Offline session not active');
  expect((await get(token, '/projects')).status).toBe(401);
  expect((await exchange('sandbox', currentKey(world.sandbox.tenant))).status).toBe(200);
});

test('pages projects and scans by items, and results by pages', async () => {
  const token = await signIn();
  const { projects, totalCount } = await json(token, '/projects?offset=1&limit=20');
  expect([totalCount, projects.map(({ name }: { name: string }) => name)]).toEqual([2, ['Nightly archive']]);
  const { scans } = await json(token, '/scans?limit=1');
  const all = await json(token, `/results?scan-id=${scans[0].id}&limit=1000`);
  const second = await json(token, `/results?scan-id=${scans[0].id}&limit=2&offset=1`);
  expect(second.results).toEqual(all.results.slice(2, 4));
});

test('finds results in existing files with IDs of real length', async () => {
  const token = await signIn();
  const { projects } = await json(token, '/projects');
  const { scans } = await json(token, `/scans?project-id=${projects[0].id}`);
  const { text } = await get(token, `/results?scan-id=${scans[0].id}&limit=1000`);
  expect(text).toMatch(/"queryId":\d{19,20},/);
  const known = new Set(story.git(['ls-files', '-z']).split('\0'));
  for (const { data } of JSON.parse(text).results) {
    for (const { fileName } of data.nodes ?? []) expect(known).toContain(fileName.slice(1));
  }
});

test('adds one finding, removes one, and sends a signed webhook on a scan', async () => {
  const receiver = await startReceiver();
  const token = await signIn();
  const config = { url: receiver.url, secret: 'a secret' };
  await fetch(`${world.sandbox.url}/api/webhooks/tenant`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'us', enabledEvents: ['scan_completed_successfully'], config }),
  });
  await control('scan', { add: 1, remove: 1 });
  await world.sandbox.settled();
  const [delivery] = receiver.received;
  expect(delivery?.headers['x-cx-webhook-event']).toBe('scan_completed_successfully');
  const signature = createHmac('sha256', 'a secret')
    .update(delivery?.body ?? '')
    .digest('base64');
  expect(delivery?.headers['x-cx-webhook-signature']).toBe(`sha256=${signature}`);
  const { scans } = await json(token, `/scans?project-id=${delivery?.payload.projectId}`);
  expect(scans[0].id).toBe(delivery?.payload.scanId);
  const ids = async (scan: string) =>
    new Set(
      (await json(token, `/results?scan-id=${scan}&limit=1000`)).results.map(
        ({ type, similarityId }: { type: string; similarityId: string }) => `${type} ${similarityId}`,
      ),
    );
  const [now, before] = [await ids(scans[0].id), await ids(scans[1].id)];
  const missing = (one: Set<unknown>, other: Set<unknown>) => [...one].filter((id) => !other.has(id)).length;
  expect([missing(now, before), missing(before, now)]).toEqual([1, 1]);
  await receiver.close();
});

test('shows tenant and key on its page, and that it is a simulation', async () => {
  const page = await (await fetch(`${world.sandbox.url}/checkmarx`)).text();
  expect(page).toContain(currentKey(world.sandbox.tenant));
  expect(page).toContain('<strong>Sandbox Checkmarx One</strong> — not the real thing');
  const posted = await fetch(`${world.sandbox.url}/checkmarx/key`, { method: 'POST', redirect: 'manual' });
  expect([posted.status, posted.headers.get('location')]).toEqual([303, '/checkmarx']);
});
