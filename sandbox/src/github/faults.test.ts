import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStory } from '../testing/repository.ts';
import { startReceiver, startTestSandbox } from '../testing/sandbox.ts';
import { issueToken } from './tokens.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let world: Awaited<ReturnType<typeof startTestSandbox>>;
let installationId: number;
let client: Awaited<ReturnType<typeof world.app.getInstallationOctokit>>;

const control = async (path: string, body?: unknown, method = 'POST'): Promise<Response> =>
  fetch(`${world.sandbox.url}/_sandbox${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const read = () => client.request('GET /repos/{owner}/{repo}', { owner: 'sandbox', repo: 'widgets' });

beforeAll(async () => {
  story = await createStory();
  receiver = await startReceiver();
  world = await startTestSandbox([story.path], { deliverTo: receiver.url });
  const installation = (await (await control('/install', {})).json()) as { id: number };
  installationId = installation.id;
  client = await world.app.getInstallationOctokit(installationId);
});
afterAll(async () => {
  await world.sandbox.close();
  await receiver.close();
  await story.remove();
});

test('fails as often as requested with the requested status', async () => {
  await control('/faults', { match: '/repos/sandbox/widgets$', status: 502, times: 2 });
  await expect(read()).rejects.toMatchObject({ status: 502 });
  await expect(read()).rejects.toMatchObject({ status: 502 });
  expect((await read()).status).toBe(200);
});

test('answers a secondary limit with retry-after', async () => {
  await control('/faults', { match: '/repos/', status: 403, retryAfter: 1 });
  await expect(read()).rejects.toMatchObject({
    message: expect.stringContaining('secondary rate limit'),
    response: { headers: { 'retry-after': '1' } },
  });
});

test('fails every n-th request and records rate limit refusals', async () => {
  const before = Date.now();
  await control('/faults', { match: '/repos/sandbox/widgets$', status: 429, retryAfter: 7, every: 2, times: 1 });
  expect((await read()).status).toBe(200);
  await expect(read()).rejects.toMatchObject({ status: 429 });
  expect((await read()).status).toBe(200);
  const { answers } = (await (await control('/rate-limit', undefined, 'GET')).json()) as {
    answers: { until: number }[];
  };
  expect(answers.at(-1)?.until).toBeGreaterThanOrEqual(before + 7_000);
});

test('breaks off a response', async () => {
  await control('/faults', { match: '/repos/', truncate: true });
  // Octokit treats a truncated body as empty, so this test reads the raw response.
  const broken = await fetch(`${world.sandbox.url}/api/v3/repos/sandbox/widgets`, {
    headers: {
      authorization: `token ${issueToken(world.sandbox.host, { kind: 'installation', holder: installationId, seconds: 60 }).token}`,
    },
  });
  expect(broken.status).toBe(200);
  await expect(broken.text()).rejects.toThrow();
  expect((await read()).status).toBe(200);
});

test('removes faults and rejects invalid ones', async () => {
  await control('/faults', { match: '/repos/', status: 500, times: 100 });
  expect((await control('/faults', undefined, 'DELETE')).status).toBe(204);
  expect((await read()).status).toBe(200);
  expect((await control('/faults', { match: '(' })).status).toBe(422);
  expect((await control('/faults', { match: 'x', status: 200 })).status).toBe(400);
});

test('refuses requests beyond the limit until the reset', async () => {
  await control('/rate-limit', { remaining: 1, resetInSeconds: 3600 });
  expect((await read()).headers['x-ratelimit-remaining']).toBe('0');
  await expect(read()).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('API rate limit exceeded'),
    response: { headers: { 'x-ratelimit-remaining': '0' } },
  });
  expect((await client.request('GET /rate_limit')).data.rate.remaining).toBe(0);
  await control('/rate-limit', { remaining: 100, resetInSeconds: 3600 });
  expect((await read()).status).toBe(200);
});

test('replays deliveries on request and shows them', async () => {
  const answer = await (await control('/replay', { repository: 'sandbox/widgets' })).json();
  expect(answer).toEqual({ deliveries: 14 });
  const log = (await (await control('/deliveries', undefined, 'GET')).json()) as {
    event: string;
    status_code: number;
  }[];
  expect(log.map(({ status_code }) => status_code)).toEqual(Array.from({ length: 15 }, () => 204));
  expect((await control('/replay', { repository: 'sandbox/none' })).status).toBe(404);
  const users = (await (await control('/users', undefined, 'GET')).json()) as { login: string }[];
  expect(users.map(({ login }) => login)).toEqual(['ada', 'zoe-a', 'bob']);
});

test('delivers events twice and out of order on request', async () => {
  const replay = async () => {
    const known = receiver.received.length;
    await control('/replay', { repository: 'sandbox/widgets' });
    return receiver.received.slice(known).map(({ event, headers, payload }) => ({
      guid: headers['x-github-delivery'],
      subject: `${event} ${payload.action} ${payload.number} ${payload.after}`,
    }));
  };
  const inOrder = (await replay()).map(({ subject }) => subject);
  await control('/disorder', { twiceEvery: 3, lateEvery: 4 });
  const deliveries = await replay();
  await control('/disorder', { twiceEvery: 0, lateEvery: 0 });
  const once = new Map(deliveries.map(({ guid, subject }) => [guid, subject]));
  expect(deliveries.length).toBeGreaterThan(once.size);
  const subjects = [...once.values()];
  expect(subjects).not.toEqual(inOrder);
  expect(subjects.toSorted()).toEqual(inOrder.toSorted());
});
