import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from './errors.ts';
import { createOutbound, isPublicAddress } from './outbound.ts';

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    else if (request.url === '/large') response.end(Buffer.alloc(1024 * 1024 + 1));
    else response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const refusalOf = (address: string, allow: string[] = []) =>
  createOutbound(allow)
    .fetch('baseURL', address)
    .then(
      () => undefined,
      (error: unknown) => (error instanceof Refusal ? error : undefined),
    );

test.each([
  'http://example.org/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://localhost/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fec0::1]/',
  'https://127。0。0。1/',
  'https://8.8.8.8:22/',
  'https://10.0.0.8/',
  'https://172.16.3.4/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://user:password@example.org/',
  'file:///etc/passwd',
  'not a url',
])('refuses %s', async (address) => {
  const refusal = await refusalOf(address);
  expect(refusal?.code).toBe('validation_failed');
  expect(refusal?.extra.details?.[0]?.field).toBe('baseURL');
});

test.each([
  'https://code.example\\@127.0.0.1/',
  'https://code.example/a\\b',
  'https://code.example./',
  'https://@code.example/',
  ' https://code.example/',
  'https://code.example/\n',
  'https://code.exam\tple/',
  'https://code.example/\u200b',
  'https:code.example',
  'https:///code.example/',
  'ftp://code.example/',
  'http://code.example/',
])('rejects %j although its host is public', async (url) => {
  const outbound = createOutbound([], { resolve: async () => ({ address: '93.184.216.34', family: 4 }) });
  await expect(outbound.check('url', url)).rejects.toMatchObject({ code: 'validation_failed' });
  expect((await outbound.check('url', 'HTTPS://Code.Example')).href).toBe('https://code.example/');
});

test('recognizes public addresses', () => {
  expect(['93.184.216.34', '2606:4700:4700::1111'].map(isPublicAddress)).toEqual([true, true]);
});

test('calls hosts and networks allowed by the operator', async () => {
  expect((await createOutbound(['127.0.0.0/8']).fetch('baseURL', url)).body).toBe('hello');
  expect((await createOutbound(['127.0.0.1']).fetch('baseURL', url)).status).toBe(200);
});

test('reuses a connection to the same address and resolves the name on every call', async () => {
  let connections = 0;
  const count = () => {
    connections += 1;
  };
  server.on('connection', count);
  let resolvedAddress = '127.0.0.1';
  const namedUrl = url.replace('127.0.0.1', 'code.example');
  const outbound = createOutbound(['127.0.0.0/24'], { resolve: async () => ({ address: resolvedAddress, family: 4 }) });
  const call = () => outbound.fetch('baseURL', namedUrl);
  for (let times = 0; times < 6; times += 1) expect((await call()).body).toBe('hello');
  // A call may start before the connection of the previous call is free.
  expect(connections).toBeLessThanOrEqual(2);
  // No server listens on the new address, and the connection to the previous address is not reused.
  resolvedAddress = '127.0.0.2';
  await expect(call()).rejects.toMatchObject({ code: 'upstream_failed' });
  // A name that now resolves to a link-local address does not reuse an open connection.
  resolvedAddress = '169.254.169.254';
  await expect(call()).rejects.toMatchObject({ code: 'validation_failed' });
  resolvedAddress = '127.0.0.1';
  expect((await call()).body).toBe('hello');
  expect(connections).toBeLessThanOrEqual(2);
  server.off('connection', count);
});

test('follows no redirect and reads at most one megabyte', async () => {
  const outbound = createOutbound(['127.0.0.1']);
  expect((await outbound.fetch('baseURL', `${url}/away`)).status).toBe(302);
  expect((await refusalOf(`${url}/large`, ['127.0.0.1']))?.code).toBe('upstream_failed');
});

test('resolves a name once and decides by the resulting address', async () => {
  const lookups: string[] = [];
  const answers = ['127.0.0.1', '93.184.216.34'];
  const outbound = createOutbound([], {
    resolve: async (host) => {
      lookups.push(host);
      return { address: answers.shift() ?? '', family: 4 };
    },
  });
  await expect(outbound.fetch('baseURL', 'https://rebinding.example/')).rejects.toMatchObject({
    code: 'validation_failed',
  });
  expect(lookups).toEqual(['rebinding.example']);
});

test('connects to the checked address even if the name resolves differently later', async () => {
  const { port } = new URL(url);
  const answers = ['127.0.0.1', '169.254.169.254'];
  const outbound = createOutbound(['127.0.0.0/8'], {
    resolve: async () => ({ address: answers.shift() ?? '', family: 4 }),
  });
  expect((await outbound.fetch('baseURL', `http://rebinding.example:${port}/`)).body).toBe('hello');
  expect(answers).toEqual(['169.254.169.254']);
});

test('an allowed origin permits no other port of its host', async () => {
  const outbound = createOutbound([url]);
  expect((await outbound.fetch('baseURL', `${url}/`)).body).toBe('hello');
  await expect(outbound.fetch('baseURL', 'http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'validation_failed' });
});

test('allows a caller to request more than a megabyte', async () => {
  const outbound = createOutbound([url]);
  const { body } = await outbound.fetch('baseURL', `${url}/large`, {}, { size: 2 * 1024 * 1024 });
  expect(body).toHaveLength(1024 * 1024 + 1);
});
