import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '#testing/server.ts';

const unconfigured = await startTestServer();
const configured = await startTestServer({ environment: { PRIVACY_URL: 'https://acme.example/privacy' } });
afterAll(() => Promise.all([unconfigured.close(), configured.close()]));

const get = (server: typeof unconfigured, path: string) => fetch(`${server.url}${path}`, { redirect: 'manual' });

test('redirects /privacy to the privacy page of the operator, or to the built-in documentation', async () => {
  expect((await get(configured, '/privacy')).headers.get('location')).toBe('https://acme.example/privacy');
  const answer = await get(unconfigured, '/privacy');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs/privacy']);
});

test('shows a placeholder for terms and contact pages that the operator has not configured', async () => {
  for (const path of ['/terms', '/contact']) {
    const answer = await get(unconfigured, path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('This page is not published');
  }
});
