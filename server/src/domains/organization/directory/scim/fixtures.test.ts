import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { connectTestDirectory, type Scim } from '../testing/directory.ts';
import entra from './fixtures/entra.json' with { type: 'json' };
import okta from './fixtures/okta.json' with { type: 'json' };

interface DirectoryRequest {
  name: string;
  method: string;
  path: string;
  body?: unknown;
  status: number;
  /** Part of the response. */
  expected?: object;
  /** The name under which later requests use the ID of the response. */
  keep?: string;
}

let server: TestServer;
let scim: Scim;
beforeAll(async () => {
  server = await shareTestServer();
  ({ scim } = await connectTestDirectory(server, await server.make.organization(), { domain: 'requests.example' }));
});
afterAll(() => server.close());

test.each<[string, readonly DirectoryRequest[]]>([
  ['Microsoft Entra ID', entra],
  ['Okta', okta],
])('accepts the requests of %s in their order', async (_, requests) => {
  const kept = new Map<string, string>();
  const filled = <Value>(value: Value): Value =>
    value === undefined
      ? value
      : JSON.parse(JSON.stringify(value).replaceAll(/\{(user|group)\}/g, (_match, name) => kept.get(name) ?? ''));
  for (const { name, method, path, body, status, expected = {}, keep } of requests) {
    const answer = await scim(method, encodeURI(filled(path)), filled(body));
    expect([name, answer.status]).toEqual([name, status]);
    if (status !== 204) expect(answer.body, name).toMatchObject(filled(expected));
    if (path.includes('excludedAttributes=members'))
      expect(JSON.stringify(answer.body), name).not.toContain('"members"');
    if (keep) kept.set(keep, answer.body.id);
  }
});
