import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';

let open: TestServer;
let shut: TestServer;
beforeAll(async () => {
  open = await startTestServer({ environment: { CORS_ORIGINS: 'https://pages.example, http://localhost:4000' } });
  shut = await startTestServer();
});
afterAll(async () => {
  await shut.close();
  await open.close();
});

const call = (server: TestServer, path: string, origin: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { ...init.headers, origin } });
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

test('allows a configured origin to call the API, send preflight requests and read exposed headers', async () => {
  const answer = await call(open, '/api/account/me', 'https://pages.example');
  expect([answer.status, allowed(answer)]).toEqual([401, 'https://pages.example']);
  expect(answer.headers.get('access-control-expose-headers')).toBe(
    'X-Total-Count, Link, ETag, Retry-After, RateLimit, RateLimit-Policy',
  );
  expect([answer.headers.get('vary'), answer.headers.get('access-control-allow-credentials')]).toEqual([
    'Origin',
    null,
  ]);
  const asked = await call(open, '/api/v2/tools/inventory', 'http://localhost:4000', {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST' },
  });
  expect([asked.status, allowed(asked)]).toEqual([204, 'http://localhost:4000']);
  expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization');
});

test.each(['https://pages.example.evil', 'http://pages.example', 'null', 'https://pages.example:8443'])(
  'refuses the origin %s',
  async (origin) => {
    expect(allowed(await call(open, '/api/account/me', origin))).toBeNull();
  },
);

test('sends no CORS headers for pages, nor for the API without configured origins', async () => {
  expect(allowed(await call(open, '/', 'https://pages.example'))).toBeNull();
  const answer = await call(shut, '/api/account/me', 'https://pages.example');
  expect([allowed(answer), answer.headers.get('vary')]).toEqual([null, null]);
});
