import { afterEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

test('shows emails with clickable links and with their markup sandboxed', { tags: 'full' }, async () => {
  server = await startTestServer();
  expect(await (await fetch(`${server.url}/outbox`)).text()).toContain('No emails');
  await server.services.mail.send('security', {
    to: '<ada>@example.org',
    subject: 'Hello <script>',
    text: 'Go to http://localhost:1/oidc/verify?token=a&b="c" now',
    html: '<p>Hello</p><script>alert(1)</script>',
  });
  const answer = await fetch(`${server.url}/outbox`);
  const page = await answer.text();
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'");
  expect(page).toContain('<a href="http://localhost:1/oidc/verify?token=a&amp;b=&quot;c&quot;">');
  expect(page).toContain('&lt;ada&gt;@example.org');
  expect(page).not.toContain('<script');
  // Whoever waits for one mail is not kept from it by another.
  expect(answer.headers.get('refresh')).toBe('2');
  const [address = ''] = /\/outbox\/[^"]+/.exec(page) ?? [];
  const alone = await fetch(`${server.url}${address}`);
  expect(alone.headers.get('refresh')).toBeNull();
  expect(await alone.text()).toMatch(/<iframe sandbox="[^"]*" srcdoc="&lt;p&gt;Hello/);
  expect((await fetch(`${server.url}/outbox/nothing`)).status).toBe(404);
});

test('answers programs on this machine only, not proxies', async () => {
  server = await startTestServer();
  for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
    expect((await fetch(`${server.url}/outbox`, { headers: { [name]: '203.0.113.7' } })).status).toBe(404);
  }
  const { statusCode } = await server.app.inject({ url: '/outbox', remoteAddress: '203.0.113.7' });
  expect(statusCode).toBe(404);
  expect((await fetch(`${server.url}/outbox`)).status).toBe(200);
});

test.each([
  ['in production', { NODE_ENV: 'production', SMTP_URL: '' }],
  ['where mails leave', { SMTP_URL: 'smtp://localhost:1' }],
])('is not available %s', { tags: 'full' }, async (_where, environment) => {
  server = await startTestServer({ environment: environment as Record<string, string> });
  const page = await (await fetch(`${server.url}/outbox`)).text();
  expect(page).not.toContain('Local outbox');
});
