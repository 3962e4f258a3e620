// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchOnce } from './fetch-once.ts';

const url = '/api/account/me';
const asAda = { headers: { authorization: 'Bearer ada' } };
const text = async (answer: Promise<Response>) => (await answer).text();
const askedAhead = (answer: Promise<Response>) => {
  window.sightlineAhead = { authorization: 'Bearer ada', answers: new Map([[url, answer]]) };
};

beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(9999);
  vi.spyOn(window, 'fetch').mockImplementation(async () => new Response('asked now'));
});
afterEach(() => {
  delete window.sightlineAhead;
  vi.restoreAllMocks();
});

test('uses a prefetched response once', async () => {
  askedAhead(Promise.resolve(new Response('ahead')));
  expect(await text(fetchOnce(url, asAda))).toBe('ahead');
  expect(await text(fetchOnce(url, asAda))).toBe('asked now');
});

test('matches a prefetched response by path if the URL has more', async () => {
  askedAhead(Promise.resolve(new Response('ahead')));
  expect(await text(fetchOnce(`https://sightline.example${url}?sessionId=1`, asAda, url))).toBe('ahead');
});

test.each([
  ['another query', '/api/other', asAda],
  ['another session', url, { headers: { authorization: 'Bearer bob' } }],
  ['a mutation', url, { ...asAda, method: 'POST' }],
])('requests %s immediately', async (_what, requestUrl, init) => {
  askedAhead(Promise.resolve(new Response('ahead')));
  expect(await text(fetchOnce(requestUrl, init))).toBe('asked now');
});

test('refetches a stale prefetch', async () => {
  askedAhead(Promise.resolve(new Response('ahead')));
  vi.spyOn(performance, 'now').mockReturnValue(10_001);
  expect(await text(fetchOnce(url, asAda))).toBe('asked now');
});

test('refetches after a failed prefetch', async () => {
  askedAhead(Promise.reject(new TypeError('no connection')));
  expect(await text(fetchOnce(url, asAda))).toBe('asked now');
});
