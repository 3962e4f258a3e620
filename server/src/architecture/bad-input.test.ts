import { gzipSync } from 'node:zlib';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { isFullSuite, sampleUnlessFull } from '../../../scripts/full-suite.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { accessMatrix } from './access-matrix.ts';
import { recordTableChanges, type TableChangeRecorder } from './change-recorder.ts';
import type { RequestInput, RequestNames } from './endpoint-case.ts';
import { jsonPathsOf, propertyNamesOf, withJsonAt } from './fields.ts';
import { githubEnvironment } from './github-environment.ts';
import { anyAddressPart, anyJsonText, hostileAddressParts, hostileBodies, hostileJson } from './hostile-inputs.ts';
import { jsonHeaders, type SentRequest, sendAndVerify } from './oracle.ts';
import { endpointKeyOf, exampleRequestOf, payloadOf, requestNamesOf, requestUrlOf } from './requests.ts';
import { createSceneSnapshots, type SceneSnapshots } from './scene-snapshots.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

/** Random attempts for each part of each endpoint. */
const repeatable = { numRuns: isFullSuite ? 15 : 1 };
/**
 * What each endpoint receives in npm test: one hostile value for each position of a value, unknown properties and
 * duplicate parameters at one position, and two hostile bodies. The full suite sends all of them.
 */
const VALUES_PER_POSITION = 1;
const MALFORMED_POSITIONS = 1;
const BODIES_PER_ENDPOINT = 2;
let turn = 0;
const sample = <Item>(items: Record<string, Item>, count: number): readonly Item[] =>
  sampleUnlessFull(Object.values(items), count, turn++);

// Decompressed, it is larger than any accepted body. Only its size matters.
const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
/** One endpoint for each body reader: JSON, a large batch, a file. The full suite tests all endpoints. */
const bombed = ['POST /v2/policies', 'POST /v2/events/user', 'POST /v2/repositories/:provider/:repoPath/sarif'];

let server: TestServer;
let changes: TableChangeRecorder;
let scenes: SceneSnapshots;
let acme: Seed;
let names: RequestNames;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  acme = await seedOrganization(server, 'acme');
  changes = await recordTableChanges(server);
  scenes = createSceneSnapshots(server, changes, [acme]);
  names = requestNamesOf(acme);
  token = await server.token(acme.org.owner, acme.org.id);
});
beforeEach(() => scenes.ensure(acme));
afterAll(async () => {
  await changes?.close();
  await server?.close();
});
const send = (endpoint: Endpoint, sent: SentRequest, elsewhere = false) =>
  sendAndVerify(server, { token, endpoint, sent, elsewhere });
const inputOf = (endpoint: Endpoint): RequestInput => exampleRequestOf(endpoint, names);
const withPayload = (endpoint: Endpoint, input: RequestInput): Partial<SentRequest> => payloadOf(endpoint, input);

/** The address with one path parameter as it is given, encoded already. */
function withParameter(endpoint: Endpoint, input: RequestInput, name: string, raw: string): string {
  const marked = requestUrlOf(endpoint, { ...input, params: { ...input.params, [name]: '@@here@@' } });
  return marked.replace(encodeURIComponent('@@here@@'), () => raw);
}

function withQuery(endpoint: Endpoint, input: RequestInput, name: string, raw: string): string {
  const { [name]: _, ...others } = input.query ?? {};
  const url = requestUrlOf(endpoint, { ...input, query: others });
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${raw}`;
}

const every = endpoints.map((endpoint) => ({ name: endpointKeyOf(endpoint), endpoint }));

// Runs first, while the account owns no more organizations than allowed. access.test.ts sends the same requests.
test.each(every)('$name responds successfully to a valid request', { tags: 'full' }, async ({ name, endpoint }) => {
  await scenes.ensure(acme, endpoint);
  const input = inputOf(endpoint);
  const { headers, ...sent } = payloadOf(endpoint, input);
  const answer = await server.app.inject({
    method: endpoint.method,
    url: requestUrlOf(endpoint, input),
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...sent,
  });
  const outcome = answer.statusCode === (endpoint.status ?? 200) ? 'ok' : `${answer.statusCode}`;
  expect([outcome, outcome === 'ok' ? '' : answer.payload]).toEqual([accessMatrix[name]?.owner, expect.any(String)]);
});

describe.each(every)('$name', ({ endpoint }) => {
  afterAll(async () => {
    expect((await server.app.inject('/api/health/ready')).statusCode).toBe(200);
  });

  test('rejects an unknown query parameter by name', async () => {
    const url = withQuery(endpoint, inputOf(endpoint), 'surprise', '1');
    const { headers, ...sent } = payloadOf(endpoint, inputOf(endpoint));
    const answer = await server.app.inject({
      method: endpoint.method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...sent,
    });
    // A client without a portal session learns nothing about portals or their parameters.
    if (endpoint.scope === 'portal') return expect(answer.statusCode).toBe(404);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', details: [{ field: 'surprise' }] });
  });

  const parameters = propertyNamesOf(endpoint.params);
  if (parameters.length > 0)
    test('handles any path parameter', async () => {
      const input = inputOf(endpoint);
      const at = (name: string, raw: string) =>
        send(endpoint, { url: withParameter(endpoint, input, name, raw), ...withPayload(endpoint, input) }, true);
      for (const name of parameters)
        await Promise.all(sample(hostileAddressParts, VALUES_PER_POSITION).map((raw) => at(name, raw)));
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...parameters),
          anyAddressPart,
          async (name, raw) => void (await at(name, raw)),
        ),
        repeatable,
      );
    });

  const queries = propertyNamesOf(endpoint.query);
  if (queries.length > 0)
    test('handles any query', async () => {
      const input = inputOf(endpoint);
      const at = (name: string, raw: string) =>
        send(endpoint, { url: withQuery(endpoint, input, name, raw), ...withPayload(endpoint, input) });
      for (const name of queries)
        await Promise.all(sample(hostileAddressParts, VALUES_PER_POSITION).map((raw) => at(name, raw)));
      for (const name of sampleUnlessFull(queries, MALFORMED_POSITIONS, turn++))
        await Promise.all([at(name, `a&${name}=b`), at(`${name}[]`, 'a')]);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...queries), anyAddressPart, async (name, raw) => void (await at(name, raw))),
        repeatable,
      );
    });

  const { body } = endpoint;
  if (body !== undefined)
    test('handles any value at any position of its body', async () => {
      const input = inputOf(endpoint);
      const paths = jsonPathsOf(body);
      const url = requestUrlOf(endpoint, input);
      const at = (path: (typeof paths)[number], text: string) =>
        send(endpoint, { url, headers: jsonHeaders, payload: withJsonAt(input.body, path, text) });
      for (const path of paths)
        await Promise.all(sample(hostileJson, VALUES_PER_POSITION).map((text) => at(path, text)));
      for (const path of sampleUnlessFull(paths, MALFORMED_POSITIONS, turn++)) await at([...path, 'surprise'], '1');
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), anyJsonText, async (path, text) => void (await at(path, text))),
        repeatable,
      );
    });

  test('handles any body', async () => {
    const input = inputOf(endpoint);
    for (const { type, encoding, body } of sample(hostileBodies, BODIES_PER_ENDPOINT)) {
      const headers = { ...(type && { 'content-type': type }), ...(encoding && { 'content-encoding': encoding }) };
      await send(endpoint, { url: requestUrlOf(endpoint, input), headers, payload: body }, endpoint.body === undefined);
    }
    if (!isFullSuite && !bombed.includes(endpointKeyOf(endpoint))) return;
    const headers = { ...jsonHeaders, 'content-encoding': 'gzip' };
    await send(endpoint, { url: requestUrlOf(endpoint, input), headers, payload: bomb }, endpoint.body === undefined);
  });
});
