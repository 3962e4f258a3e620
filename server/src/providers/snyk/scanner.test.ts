import { expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { startJsonServer } from '#testing/json-server.ts';
import { scanner } from './scanner.ts';

const project = (id: string) => ({ id, attributes: { name: id, status: 'active' } });
const open = (...urls: [string, ...string[]]) =>
  scanner.create(createOutbound(urls), '').open({ tenant: 'org', apiKey: 'token', baseURL: urls[0] }, true);

test.each(['/rest/orgs/org/projects?starting_after=a', '/orgs/org/projects?starting_after=a'])(
  'follows the link %s to the next page',
  async (next) => {
    const { url, requests } = await startJsonServer(({ path }) =>
      path.includes('starting_after') ? { data: [project('b')] } : { data: [project('a')], links: { next } },
    );
    expect(await (await open(url)).countProjects()).toBe(2);
    expect(requests.at(-1)?.path).toBe('/rest/orgs/org/projects?starting_after=a');
  },
);

test('does not send the token to another host that a page links to', async () => {
  const other = await startJsonServer(() => ({ data: [] }));
  const { url } = await startJsonServer(() => ({ data: [project('a')], links: { next: `${other.url}/rest/x` } }));
  await expect((await open(url, other.url)).countProjects()).rejects.toThrow('links to another host');
  expect(other.requests).toEqual([]);
});

test('rejects a list whose pages repeat', async () => {
  const { url } = await startJsonServer(() => ({ data: [project('a')], links: { next: '/orgs/org/projects?x=1' } }));
  await expect((await open(url)).countProjects()).rejects.toThrow('repeated a page of its list');
});
