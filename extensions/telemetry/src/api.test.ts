import { expect, test } from 'vitest';
import { createApi } from './api.ts';

const answering = (answer: Response | Error, seen: RequestInit[] = []) =>
  createApi({
    server: () => 'https://sightline.example/ignored',
    clock: () => Date.UTC(2026, 10, 1),
    fetch: async (_url, init) => {
      seen.push(init ?? {});
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });

test('sends the token in a header, sends no cookies, and follows no redirects', async () => {
  const seen: RequestInit[] = [];
  const callApi = answering(Response.json({ accepted: 1 }, { status: 202 }), seen);
  expect(await callApi('POST', '/api/v2/events/user', { token: 'secret', body: [1] })).toEqual({
    status: 202,
    body: { accepted: 1 },
    retryAfterMs: null,
    message: '',
  });
  expect(seen[0]).toMatchObject({ method: 'POST', body: '[1]', credentials: 'omit', redirect: 'error' });
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret' });
});

test.each([
  [
    Response.json({ code: 'busy', message: 'Too much at once.' }, { status: 429, headers: { 'retry-after': '7' } }),
    429,
    7000,
    'Too much at once.',
  ],
  [
    new Response('', { status: 503, headers: { 'retry-after': 'Sun, 01 Nov 2026 00:01:00 GMT' } }),
    503,
    60_000,
    'The server responded with status 503.',
  ],
  [
    new Response('<html>', { status: 502, headers: { 'retry-after': 'soon' } }),
    502,
    null,
    'The server responded with status 502.',
  ],
  [new Response('<html>Welcome to our hotel'), 0, null, 'The response is not from a Sightline server.'],
  [new Response(null, { status: 204 }), 204, null, ''],
  [new TypeError('fetch failed: https://ada:secret@host/?token=secret'), 0, null, 'The server could not be reached.'],
  [new DOMException('aborted', 'TimeoutError'), 0, null, 'The server did not respond in time.'],
])('turns %o into a response', async (answer, status, retryAfterMs, message) => {
  expect(await answering(answer)('GET', '/api/v2/user/status')).toMatchObject({ status, retryAfterMs, message });
});

test('treats an invalid address as a response', async () => {
  const callApi = createApi({ server: () => 'not an address' });
  expect(await callApi('GET', '/api/v2/user/status')).toMatchObject({ status: 0 });
});
