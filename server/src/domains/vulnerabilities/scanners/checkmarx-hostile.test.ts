import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectScanner, getScanner, testScanner } from '@sightline/contract/sources/integrations.ts';
import { signToken } from '@sightline/sandbox/checkmarx/tenant.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { createCheckmarx } from '#providers/checkmarx/scanner.ts';
import { ScannerProblem } from '#providers/scanner-connector.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { ofCheckmarx } from './checkmarx-connected.fixture.ts';

let server: TestServer;
let acme: TestOrganization;
/** A server in the internal network, which records every request. */
let inside: Server;
let insideURL: string;
const internalRequests: string[] = [];

beforeAll(async () => {
  inside = createServer((request, response) => {
    internalRequests.push(request.url ?? '');
    response.end('the secrets of the inside');
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  insideURL = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
  server = await shareTestServer();
  acme = await server.make.organization();
});
afterAll(async () => {
  await server.close();
  inside.close();
});

const keyFrom = (realm: string) => signToken('anything', { iss: realm, aud: realm, azp: 'ast-app', typ: 'Offline' });
const goodKey = keyFrom('https://iam.checkmarx.net/auth/realms/acme');
const owner = () => server.as(acme.owner, acme.id);

const hostile = [
  'https://127.0.0.1',
  'https://localhost',
  'http://127.0.0.1:PORT',
  'https://127.1',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.1',
  'https://0',
  'https://127。0。0。1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
  'https://[::127.0.0.1]',
  'https://[64:ff9b::7f00:1]',
  'https://[2002:7f00:1::]',
  'https://[fe80::1]',
  'https://[fd00::1]',
  'https://10.1.2.3',
  'https://172.16.0.1',
  'https://192.168.1.1',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1',
  'https://ast.checkmarx.net@127.0.0.1',
  'https://user:password@10.0.0.1',
  'https://127.0.0.1\\@ast.checkmarx.net',
  'https://127.0.0.1#@ast.checkmarx.net',
  'https://8.8.8.8:22',
  'http://8.8.8.8',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_x',
];

describe('rejects a hostile base URL with a reason and sends no request', () => {
  test.each(hostile)('%s', async (address) => {
    const baseURL = address.replace('PORT', new URL(insideURL).port);
    const body = { tenant: 'acme', apiKey: goodKey, baseURL };
    const { ok, problem } = await owner()(testScanner, { params: ofCheckmarx, body });
    expect([ok, problem?.code, problem?.field]).toEqual([false, 'refused_host', 'baseURL']);
    expect(problem?.message).toMatch(/^The base URL .+, so it is not called\. .+\.$/);
    const refused = await owner()(connectScanner, { params: ofCheckmarx, body }).catch((error) => error);
    expect([refused.status, refused.refusal.code, refused.refusal.message]).toEqual([
      400,
      'validation_failed',
      problem?.message,
    ]);
    expect(await owner()(getScanner, { params: ofCheckmarx })).toBeNull();
    expect(internalRequests).toEqual([]);
  });
});

describe('rejects a key that names a hostile host', () => {
  test.each(['http://127.0.0.1:PORT', 'https://169.254.169.254', 'https://[::1]', 'https://x@10.0.0.1', 'nonsense'])(
    '%s',
    async (iam) => {
      const apiKey = keyFrom(`${iam.replace('PORT', new URL(insideURL).port)}/auth/realms/acme`);
      const { problem } = await owner()(testScanner, { params: ofCheckmarx, body: { tenant: 'acme', apiKey } });
      expect(problem).toMatchObject({ field: 'apiKey', code: expect.stringMatching(/^(refused_host|bad_key)$/) });
      expect(internalRequests).toEqual([]);
    },
  );
});

describe('rejects indirect access to an internal host by', () => {
  const problemOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => (error instanceof ScannerProblem ? [error.code, error.message] : error),
    );

  test('a name that resolves to an internal address later', async () => {
    const answers = ['93.184.216.34', '127.0.0.1'];
    const outbound = createOutbound([], {
      resolve: async () => ({ address: answers.shift() ?? '127.0.0.1', family: 4 }),
    });
    const checkmarx = createCheckmarx(outbound, 'https://ast.checkmarx.net');
    const connection = { tenant: 'acme', apiKey: goodKey, baseURL: 'https://rebinding.example' };
    expect(await problemOf(checkmarx.open(connection, true))).toEqual([
      'refused_host',
      expect.stringContaining('is in a private or reserved network'),
    ]);
    expect(internalRequests).toEqual([]);
  });

  test('a redirect of an identity provider or an API', async () => {
    const away = createServer((request, response) => {
      const isToken = request.url?.includes('/token') ?? false;
      if (isToken && redirectFrom === 'iam') response.writeHead(307, { location: `${insideURL}/token` }).end();
      else if (isToken)
        response.end(JSON.stringify({ access_token: signToken('x', { 'ast-base-url': url }), expires_in: 60 }));
      else response.writeHead(302, { location: `${insideURL}/api/projects` }).end();
    });
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
    let redirectFrom = 'iam';
    const checkmarx = createCheckmarx(createOutbound([url]), url);
    const open = async () =>
      (await checkmarx.open({ tenant: 'acme', apiKey: keyFrom(`${url}/auth/realms/acme`) }, true)).countProjects();
    for (const where of ['iam', 'api']) {
      redirectFrom = where;
      expect(await problemOf(open())).toEqual([
        'wrong_host',
        expect.stringContaining('redirects, which is not followed'),
      ]);
    }
    expect(internalRequests).toEqual([]);
    away.close();
  });

  test('a token that names it as the API host', async () => {
    const iam = createServer((_, response) =>
      response.end(JSON.stringify({ access_token: signToken('x', { 'ast-base-url': insideURL }), expires_in: 60 })),
    );
    await new Promise<void>((resolve) => iam.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(iam.address() as AddressInfo).port}`;
    const checkmarx = createCheckmarx(createOutbound([url]), 'https://ast.checkmarx.net');
    const opened = checkmarx.open({ tenant: 'acme', apiKey: keyFrom(`${url}/auth/realms/acme`) }, true);
    expect(await problemOf(opened.then((tenant) => tenant.countProjects()))).toEqual([
      'refused_host',
      expect.stringContaining('The key contains'),
    ]);
    expect(internalRequests).toEqual([]);
    iam.close();
  });
});
