import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { verifyPage } from './verify-page.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

test('serves the verification page unmodified under its own content security policy', async () => {
  const answer = await fetch(`${server.url}/verify.html`);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'sha256-");
  expect(await answer.text()).toBe(await verifyPage());
  expect(await (await fetch(`${server.url}/verify`)).text()).toBe(await verifyPage());
  const etag = answer.headers.get('etag') ?? '';
  const unchanged = await fetch(`${server.url}/verify.html`, { headers: { 'if-none-match': etag } });
  const policy = 'content-security-policy';
  expect([unchanged.status, unchanged.headers.get(policy)]).toEqual([304, answer.headers.get(policy)]);
});
