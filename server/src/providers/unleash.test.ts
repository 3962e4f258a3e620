import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUnleash, requestUnleashFlags } from './unleash.ts';

let unleash: Server;
let url: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: IncomingMessage[];
let warnings: string[];
beforeEach(async () => {
  requests = [];
  warnings = [];
  unleash = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => unleash.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(unleash.address() as AddressInfo).port}`;
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  unleash.closeAllConnections();
  await new Promise((resolve) => unleash.close(resolve));
});

const respondWith =
  (...names: string[]) =>
  (_: IncomingMessage, response: ServerResponse) => {
    const toggles = names.map((name) => ({
      name,
      enabled: true,
      variant: { name: 'disabled', enabled: false, feature_enabled: true },
      impressionData: false,
    }));
    response.setHeader('etag', `"${names.join()}"`).end(JSON.stringify({ toggles }));
  };
const failWith = (status: number) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status).end('no');

const ada = { accountId: 'ada', orgId: 'acme' };
const client = () => {
  const unleashClient = createUnleash({ url, token: 'secret' }, (problem) => warnings.push(problem));
  return async (subject = ada) => (await unleashClient.listOn(subject))?.map(({ name }) => name);
};
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

test('requests flags for the account and organization with the token, once in 15 seconds each', async () => {
  answer = respondWith('release2', 'a.flag.of.another.application');
  const on = client();
  expect(await Promise.all([on(), on()])).toEqual([['release2'], ['release2']]);
  await on({ accountId: 'bob', orgId: 'acme' });
  expect(requests).toHaveLength(2);
  const { searchParams, pathname } = new URL(requests[0]?.url ?? '', url);
  expect(pathname).toBe('/api/frontend');
  expect(Object.fromEntries(searchParams)).toEqual({
    appName: 'sightline',
    userId: 'ada',
    'properties[orgId]': 'acme',
  });
  expect(requests[0]?.headers.authorization).toBe('secret');

  advance(16);
  answer = respondWith('jira');
  expect(await on()).toEqual(['jira']);
});

test('reuses the previous response after a 304', async () => {
  answer = respondWith('release2');
  const on = client();
  await on();
  advance(16);
  answer = (request, response) => {
    expect(request.headers['if-none-match']).toBe('"release2"');
    response.writeHead(304).end();
  };
  expect(await on()).toEqual(['release2']);
});

test('uses the last successful response during failures, returns none without one, and warns once', async () => {
  answer = respondWith('release2');
  const on = client();
  await on();
  answer = failWith(503);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    advance(16);
    expect(await on()).toEqual(['release2']);
  }
  expect(await on({ accountId: 'bob', orgId: 'acme' })).toBeUndefined();
  expect(warnings).toEqual([`Unleash at ${url} answers 503`]);
  advance(16);
  answer = respondWith();
  expect(await on()).toEqual([]);
});

test('waits at most 1.5 seconds for a response', { tags: 'full' }, async () => {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  answer = (request, response) => void done.then(() => respondWith('release2')(request, response));
  const on = client();
  expect(await on()).toBeUndefined();
  resolve();
  await expect.poll(() => on()).toEqual(['release2']);
});

test.each([
  [failWith(401), 'does not take UNLEASH_FRONTEND_TOKEN (401)'],
  [(_: IncomingMessage, response: ServerResponse) => void response.end('<html>'), 'does not answer as Unleash'],
  [
    (_: IncomingMessage, response: ServerResponse) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    'does not answer',
  ],
])('describes a failure without the token: %#', async (reply, words) => {
  answer = reply;
  const failure = await requestUnleashFlags({ url, token: 'secret' }).catch((error: Error) => error.message);
  expect(failure).toContain(words);
  expect(failure).not.toContain('secret');
});
