import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { urlOf } from '@sightline/contract/core/client.ts';
import { getPicture } from '@sightline/contract/identity/pictures.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { operatorCliOf } from '../../../cli/testing/in-process.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const answers: Record<string, { status?: number; type: string; body: string | Buffer; location?: string }> = {
  '/ada.png': { type: 'image/png', body: png },
  '/page.html': { type: 'text/html', body: '<p>secret</p>' },
  '/script.svg': { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>' },
  '/large.png': { type: 'image/png', body: Buffer.alloc(600 * 1024) },
  '/moved.png': { status: 302, type: 'image/png', body: '', location: '/ada.png' },
};

let site: Server;
let requests: { url: string; headers: Record<string, unknown> }[] = [];
let origin: string;
let server: TestServer;
beforeAll(async () => {
  site = createServer(({ url = '', headers }, response) => {
    requests.push({ url, headers });
    const { status = 200, type, body, location } = answers[url] ?? { status: 404, type: 'text/plain', body: '' };
    response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) }).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  server = await startTestServer({ environment: { RATE_LIMITS: '*=1000000,pictures=10' } });
});
afterAll(async () => {
  await server.close();
  site.close();
});
beforeEach(() => {
  requests = [];
});

const get = async (account: TestAccount, orgId: string | undefined, url: string) =>
  fetch(urlOf(`${server.url}/api`, getPicture, { query: { url } }), {
    headers: { authorization: `Bearer ${await server.token(account, orgId)}` },
  });

/** An organization that may access the site, and one that may not. */
async function organizations() {
  const [ours, theirs] = [await server.make.organization(), await server.make.organization('Other')];
  await operatorCliOf(server).ask('outbound', 'allow', origin, '--purpose', 'code-host', '--org', ours.id);
  return { ours, theirs };
}

test('serves the picture of a site that the organization may access, with browser caching', async () => {
  const { ours } = await organizations();
  const answer = await get(ours.owner, ours.id, `${origin}/ada.png`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(answer.headers.get('cache-control')).toBe('private, max-age=86400');
  expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
  expect(requests).toHaveLength(1);
  const { authorization, cookie, referer } = requests[0]?.headers ?? {};
  expect([authorization, cookie, referer]).toEqual([undefined, undefined, undefined]);
});

test('serves no pages, scripts, redirects or large pictures', async () => {
  const { ours } = await organizations();
  for (const path of ['/page.html', '/script.svg', '/moved.png', '/missing.png'])
    expect([path, (await get(ours.owner, ours.id, origin + path)).status]).toEqual([path, 404]);
  expect((await get(ours.owner, ours.id, `${origin}/large.png`)).status).toBe(502);
});

test('requests no private address for an organization without access to it, nor for non-members', async () => {
  const { ours, theirs } = await organizations();
  const nonMember = await server.make.account();
  for (const [account, orgId] of [
    [theirs.owner, theirs.id],
    [theirs.owner, ours.id],
    [nonMember, undefined],
  ] as const)
    expect((await get(account, orgId, `${origin}/ada.png`)).status).toBe(400);
  expect(requests).toEqual([]);
});

test('limits the number of pictures that an account requests', async () => {
  const { ours } = await organizations();
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1)
    statuses.push((await get(ours.owner, ours.id, `${origin}/ada.png`)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});
