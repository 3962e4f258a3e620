import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anyCharacter } from '../../../scripts/properties.ts';
import { ApiError, createClient, pathOf } from './client.ts';
import { endpoint } from './endpoint.ts';

const getExample = endpoint({
  method: 'GET',
  path: '/v2/things/:thing/parts/:part',
  summary: 'A thing.',
  scope: 'public',
  params: z.strictObject({ thing: z.string(), part: z.string() }),
  query: z.strictObject({ search: z.string(), page: z.number(), tags: z.array(z.string()) }),
  response: z.array(z.object({ id: z.string() })),
  paged: true,
});
const postThing = endpoint({
  method: 'POST',
  path: '/v2/things',
  summary: 'Makes a thing.',
  scope: 'public',
  body: z.strictObject({ name: z.string() }),
  response: z.object({ id: z.string() }),
});

interface ReceivedRequest {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  type: string | undefined;
  body: string;
}
let seen: ReceivedRequest[] = [];
let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '' };
const host = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { authorization, 'content-type': type } = request.headers;
  seen.push({ method: request.method, url: request.url, authorization, type, body: Buffer.concat(chunks).toString() });
  response.writeHead(answer.status, answer.headers).end(answer.body);
});
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/api`;
});
afterAll(() => new Promise((done) => host.close(done)));
beforeEach(() => {
  seen = [];
});

const failure = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, not ${error}`);
  return error;
};

const dots = ['', '.', '..'];

describe('the path of a call', () => {
  test('fills parameters in by name', () => {
    expect(pathOf(getExample, { thing: 'acme/api', part: 'a b' })).toBe('/v2/things/acme%2Fapi/parts/a%20b');
  });

  test('escapes parameters so that each remains one path segment', () => {
    const value = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 1 }).filter((text) => !dots.includes(text)),
      fc.constantFrom('../..', '/', '?', '#', '$&', "$'", '$`', ':part', '%2f', '%2e%2e', '//evil.example', '...'),
    );
    fc.assert(
      fc.property(value, value, (thing, part) => {
        const { pathname, search, hash } = new URL(pathOf(getExample, { thing, part }), 'https://sightline.example');
        const segments = pathname.split('/').map((segment) => decodeURIComponent(segment));
        expect(segments).toEqual(['', 'v2', 'things', thing, 'parts', part]);
        expect(search + hash).toBe('');
      }),
    );
  });

  test.each([...dots, '\ud800'])('rejects the parameter %j', (thing) => {
    expect(() => pathOf(getExample, { thing, part: 'p' })).toThrow(RangeError);
  });
});

describe('a call', () => {
  test('sends given values, omits empty ones, and reads the total', async () => {
    answer = { status: 200, body: '[{"id":"1"}]', headers: { 'x-total-count': '41' } };
    const call = createClient({ baseUrl, token: () => undefined });
    const input = { params: { thing: 't', part: 'p' }, query: { search: '', page: 2, tags: ['a', 'b&c'] } };
    expect(await call(getExample, input)).toEqual({ rows: [{ id: '1' }], total: 41 });
    await call(getExample, { params: input.params, query: { tags: [] } });
    await call(getExample, { params: input.params });
    expect(seen.map((request) => request.url)).toEqual([
      '/api/v2/things/t/parts/p?page=2&tags=a%2Cb%26c',
      '/api/v2/things/t/parts/p',
      '/api/v2/things/t/parts/p',
    ]);
    expect(seen[0]).toMatchObject({ method: 'GET', body: '' });
    expect(seen[0]?.authorization).toBeUndefined();
    expect(seen[0]?.type).toBeUndefined();
  });

  test('sends token and body', async () => {
    answer = { status: 200, body: '{"id":"1"}' };
    const call = createClient({ baseUrl, token: async () => 'secret' });
    await call(postThing, { body: { name: 'Ada' } });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/api/v2/things',
        authorization: 'Bearer secret',
        type: 'application/json',
        body: '{"name":"Ada"}',
      },
    ]);
  });

  test('returns an error response unchanged', async () => {
    answer = { status: 409, body: '{"code":"conflict","message":"Taken.","requestId":"r"}' };
    const error = await failure(
      createClient({ baseUrl, token: () => undefined })(postThing, { body: { name: 'Ada' } }),
    );
    expect(error).toMatchObject({
      url: `${baseUrl}/v2/things`,
      status: 409,
      refusal: { code: 'conflict', message: 'Taken.', requestId: 'r' },
    });
  });

  test('reports an invalid response as an error', async () => {
    answer = { status: 502, body: '<h1>Bad gateway</h1>' };
    const error = await failure(
      createClient({ baseUrl, token: () => undefined })(postThing, { body: { name: 'Ada' } }),
    );
    expect(error).toMatchObject({ status: 502, body: '<h1>Bad gateway</h1>', refusal: undefined });
  });

  test('reports an unreachable server with status 0', async () => {
    const call = createClient({ baseUrl: 'http://127.0.0.1:1/api', token: () => undefined });
    expect(await failure(call(postThing, { body: { name: 'Ada' } }))).toMatchObject({ status: 0 });
  });

  test('reports a response of another shape as an error', async () => {
    answer = { status: 200, body: '{"id":1}' };
    await expect(
      createClient({ baseUrl, token: () => undefined })(postThing, { body: { name: 'Ada' } }),
    ).rejects.toThrow(z.ZodError);
  });
});
