import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '#testing/server.ts';

const bare = await startTestServer();
const told = await startTestServer({ environment: { PRIVACY_URL: 'https://acme.example/privacy' } });
afterAll(() => Promise.all([bare.close(), told.close()]));

const get = (server: typeof bare, path: string) => fetch(`${server.url}${path}`, { redirect: 'manual' });

test('redirects /privacy to the privacy page of the operator, or to the built-in documentation', async () => {
  expect((await get(told, '/privacy')).headers.get('location')).toBe('https://acme.example/privacy');
  const answer = await get(bare, '/privacy');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs/privacy']);
});

test('shows a placeholder for terms and contact pages that the operator has not configured', async () => {
  for (const path of ['/terms', '/contact']) {
    const answer = await get(bare, path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('This page is not published');
  }
});
