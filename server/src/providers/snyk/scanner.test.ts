import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { scanner } from './scanner.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(answer: (path: string) => unknown): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end(JSON.stringify(answer(request.url ?? '')));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const project = (id: string) => ({ id, attributes: { name: id, status: 'active' } });
const open = (...urls: [string, ...string[]]) =>
  scanner.create(createOutbound(urls), '').open({ tenant: 'org', apiKey: 'token', baseURL: urls[0] }, true);

test.each(['/rest/orgs/org/projects?starting_after=a', '/orgs/org/projects?starting_after=a'])(
  'follows the link %s to the next page',
  async (next) => {
    const { url, requests } = await listen((path) =>
      path.includes('starting_after') ? { data: [project('b')] } : { data: [project('a')], links: { next } },
    );
    expect(await (await open(url)).countProjects()).toBe(2);
    expect(requests.at(-1)).toBe('/rest/orgs/org/projects?starting_after=a');
  },
);

test('does not send the token to another host that a page links to', async () => {
  const other = await listen(() => ({ data: [] }));
  const { url } = await listen(() => ({ data: [project('a')], links: { next: `${other.url}/rest/x` } }));
  await expect((await open(url, other.url)).countProjects()).rejects.toThrow('links to another host');
  expect(other.requests).toEqual([]);
});

test('rejects a list whose pages repeat', async () => {
  const { url } = await listen(() => ({ data: [project('a')], links: { next: '/orgs/org/projects?x=1' } }));
  await expect((await open(url)).countProjects()).rejects.toThrow('repeated a page of its list');
});
