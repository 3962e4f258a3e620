import { gzipSync } from 'node:zlib';
import { filterFields, predicates } from '@sightline/contract/contexts.ts';
import type { Endpoint } from '@sightline/contract/endpoint.ts';
import { errorBody, errorStatus } from '@sightline/contract/errors.ts';
import { identifyEvent, queryEvents, recordEvents } from '@sightline/contract/events.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refusalsOf } from '#core/openapi.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../features/documentation/endpoints.ts';
import { namesIn, placesOf, withJsonAt } from './fields.ts';
import { anyAddress, anyJson, nastyAddress, nastyBodies, nastyJson } from './nasties.ts';
import { addressOf, eventItem, type Input, keyOf, type Names, namesOf, requestOf } from './requests.ts';
import { githubEnvironment, seedOrganization } from './seed.ts';

/** Random tries for each part of each endpoint. Raise it before a release. */
const runs = 15;
const seed = Date.now() % 2 ** 31;
const repeatable = { numRuns: runs, seed };

const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));

let server: TestServer;
let names: Names;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  const acme = await seedOrganization(server, 'acme');
  names = namesOf(acme);
  token = await server.token(acme.org.owner, acme.org.id);
});
afterAll(() => server.close());
afterEach(async () => {
  expect((await server.app.inject('/api/health/ready')).statusCode).toBe(200);
});

interface Sent {
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
}

const json = { 'content-type': 'application/json' };

/** Sends a request and holds its answer against what the endpoint promises; `elsewhere` is a path that may miss it. */
async function send(endpoint: Endpoint, sent: Sent, elsewhere = false) {
  const { statusCode, payload } = await server.app.inject({
    method: endpoint.method,
    url: sent.url,
    headers: { authorization: `Bearer ${token}`, ...sent.headers },
    ...(sent.payload !== undefined && { payload: sent.payload }),
  });
  const shown = {
    endpoint: keyOf(endpoint),
    url: sent.url.slice(0, 300),
    sent: String(sent.payload).slice(0, 300),
    answer: payload.slice(0, 500),
  };
  if (statusCode < 300) return shown;
  const codes = [...refusalsOf(endpoint), ...(elsewhere ? (['not_found', 'validation_failed'] as const) : [])];
  expect(
    codes.map((code) => errorStatus[code]),
    JSON.stringify(shown),
  ).toContain(statusCode);
  const refused = errorBody.safeParse(JSON.parse(payload));
  expect(refused.error, JSON.stringify(shown)).toBeUndefined();
  if (!refused.data) return shown;
  const { code, details, message, cause = '' } = refused.data;
  expect([errorStatus[code], codes], JSON.stringify(shown)).toEqual([statusCode, expect.arrayContaining([code])]);
  if (code === 'validation_failed') {
    expect(details?.length, JSON.stringify(shown)).toBeGreaterThan(0);
    for (const detail of details ?? [])
      expect(detail, JSON.stringify(shown)).toEqual({
        field: expect.stringMatching(/./),
        message: expect.stringMatching(/./),
      });
  }
  expect(`${message} ${cause}`).not.toMatch(
    /node_modules|\.ts:\d|\bat \S+ \(|select |insert into|syntax error|invalid input syntax|relation "/i,
  );
  return shown;
}

const inputOf = (endpoint: Endpoint): Input => requestOf(endpoint, names);
const withPayload = (endpoint: Endpoint, { body }: Input): Partial<Sent> =>
  endpoint.body ? { headers: json, payload: JSON.stringify(body) } : {};

/** The address with one path parameter as it is given, encoded already. */
function withParameter(endpoint: Endpoint, input: Input, name: string, raw: string): string {
  const marked = addressOf(endpoint, { ...input, params: { ...input.params, [name]: '@@here@@' } });
  return marked.replace(encodeURIComponent('@@here@@'), () => raw);
}

function withQuery(endpoint: Endpoint, input: Input, name: string, raw: string): string {
  const { [name]: _, ...others } = input.query ?? {};
  const url = addressOf(endpoint, { ...input, query: others });
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${raw}`;
}

describe.each(endpoints.map((endpoint) => ({ name: keyOf(endpoint), endpoint })))(
  `$name (seed ${seed})`,
  ({ endpoint }) => {
    test('answers a good request', async () => {
      const input = inputOf(endpoint);
      const answer = await server.app.inject({
        method: endpoint.method,
        url: addressOf(endpoint, input),
        headers: { authorization: `Bearer ${token}`, ...(endpoint.body && json) },
        ...(endpoint.body && { payload: JSON.stringify(input.body) }),
      });
      expect([answer.statusCode, answer.statusCode < 300 ? '' : answer.payload]).toEqual([endpoint.status ?? 200, '']);
    });

    test('refuses a query parameter it does not know, by its name', async () => {
      const url = withQuery(endpoint, inputOf(endpoint), 'surprise', '1');
      const answer = await server.app.inject({
        method: endpoint.method,
        url,
        headers: { authorization: `Bearer ${token}`, ...(endpoint.body && json) },
        ...(endpoint.body && { payload: JSON.stringify(inputOf(endpoint).body) }),
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'validation_failed', details: [{ field: 'surprise' }] });
    });

    const parameters = namesIn(endpoint.params);
    test.runIf(parameters.length > 0)('survives every path', async () => {
      const input = inputOf(endpoint);
      const at = (name: string, raw: string) =>
        send(endpoint, { url: withParameter(endpoint, input, name, raw), ...withPayload(endpoint, input) }, true);
      for (const name of parameters) for (const raw of Object.values(nastyAddress)) await at(name, raw);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...parameters), anyAddress, async (name, raw) => void (await at(name, raw))),
        repeatable,
      );
    });

    const queries = namesIn(endpoint.query);
    test.runIf(queries.length > 0)('survives every query', async () => {
      const input = inputOf(endpoint);
      const at = (name: string, raw: string) =>
        send(endpoint, { url: withQuery(endpoint, input, name, raw), ...withPayload(endpoint, input) });
      for (const name of queries) {
        for (const raw of Object.values(nastyAddress)) await at(name, raw);
        await at(name, `a&${name}=b`);
        await at(`${name}[]`, 'a');
      }
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...queries), anyAddress, async (name, raw) => void (await at(name, raw))),
        repeatable,
      );
    });

    test.runIf(endpoint.body !== undefined)('survives every value at every place of its body', async () => {
      const input = inputOf(endpoint);
      const places = placesOf(endpoint.body ?? fail());
      const url = addressOf(endpoint, input);
      const at = (place: (typeof places)[number], text: string) =>
        send(endpoint, { url, headers: json, payload: withJsonAt(input.body, place, text) });
      for (const place of places) {
        for (const text of Object.values(nastyJson)) await at(place, text);
        await at([...place, 'surprise'], '1');
      }
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...places), anyJson, async (place, text) => void (await at(place, text))),
        repeatable,
      );
    });

    test('survives every body', async () => {
      const input = inputOf(endpoint);
      for (const { type, encoding, body } of Object.values(nastyBodies)) {
        const headers = { ...(type && { 'content-type': type }), ...(encoding && { 'content-encoding': encoding }) };
        await send(endpoint, { url: addressOf(endpoint, input), headers, payload: body }, endpoint.body === undefined);
      }
      const headers = { ...json, 'content-encoding': 'gzip' };
      await send(endpoint, { url: addressOf(endpoint, input), headers, payload: bomb }, endpoint.body === undefined);
    });
  },
);

function fail(): never {
  throw new Error('no body');
}

describe('events of a batch', () => {
  const url = '/api/v2/events/user';
  const judged = async (item: string) => {
    const good = JSON.stringify(eventItem());
    const answer = await server.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${token}`, ...json },
      payload: `[${good},${item}]`,
    });
    expect([answer.statusCode, item.slice(0, 300), answer.statusCode === 202 ? '' : answer.payload]).toEqual([
      202,
      item.slice(0, 300),
      '',
    ]);
    const { accepted, duplicates, rejected } = recordEvents.response.parse(answer.json());
    expect(accepted + duplicates + rejected.length).toBe(2);
    for (const rejection of rejected) {
      expect(rejection).toMatchObject({
        index: 1,
        field: expect.stringMatching(/./),
        message: expect.stringMatching(/./),
      });
    }
  };

  test('a bad one is named and costs its neighbour nothing', async () => {
    for (const place of placesOf(identifyEvent)) {
      for (const [name, text] of Object.entries(nastyJson)) {
        if (!/megabyte|__proto__|prototype|constructor/.test(name)) await judged(withJsonAt(eventItem(), place, text));
      }
    }
  });

  test(`any event at all (seed ${seed})`, async () => {
    const places = placesOf(identifyEvent);
    const harmless = anyJson.filter((text) => !/__proto__|constructor/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), harmless, (place, text) =>
        judged(withJsonAt(eventItem(), place, text)),
      ),
      { numRuns: runs * 10, seed },
    );
  });
});

describe('filters of the timeline', () => {
  const values = [
    '',
    'a',
    '0',
    '-1',
    '1.5',
    '1e9',
    '2147483648',
    'acme/api',
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '9999-12-31T23:59:60Z',
    '2026-03-01T12:00:00Z',
    '12',
    `'; drop table event; --`,
    'a'.repeat(500),
  ];
  test.each(Object.entries(filterFields).flatMap(([within, fields]) => fields.map((field) => [within, field])))(
    '%s %s: takes any value with any predicate, or says why not',
    async (within, field) => {
      for (const predicate of predicates) {
        for (const value of values) {
          const body = { filters: [{ within, field, predicate, arguments: [value] }] };
          await send(queryEvents, {
            url: '/api/v2/events/explore/query',
            headers: json,
            payload: JSON.stringify(body),
          });
        }
      }
    },
  );
});
