import { randomUUID } from 'node:crypto';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { suggestValues } from '@sightline/contract/timeline/explore.ts';
import type { Key } from '@sightline/contract/timeline/query-language/keys.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let acme: TestOrganization;

beforeAll(async () => {
  server = await shareTestServer({ jobs: true });
  acme = await server.make.organization('Acme');
  for (const name of ['ledger-api', 'web']) await createTestRepository(server, acme, name);
});
afterAll(() => server.close());

const offered = async (key: Key, typed: string, account = acme.owner) =>
  (await server.as(account, acme.id)(suggestValues, { query: { key, typed } })).map(({ value }) => value);

const view = (site: string) => ({
  plugin_id: 'sightline-browser',
  event_type: 'web_page_view',
  message_id: randomUUID(),
  original_timestamp: '2026-11-20T10:00:00Z',
  tracking_source: 'chrome',
  content_uri: `https://${site}/`,
});

test('suggests repositories and people by typed text, prefix matches first', async () => {
  expect(await offered('repo', 'acme')).toEqual(['acme/ledger-api', 'acme/web']);
  expect(await offered('repo', 'API')).toEqual(['acme/ledger-api']);
  expect(await offered('repo', '%')).toEqual([]);
  expect(await offered('org', 'CM')).toEqual(['acme']);
  expect(await offered('org', 'api')).toEqual([]);
  expect(await offered('actor', '@')).toContain('@me');
  expect(await offered('actor', acme.owner.email.slice(0, 5))).toContain(acme.owner.email);
});

test('suggests values that events have for other qualifiers', async () => {
  await server.as(acme.owner, acme.id)(recordEvents, { body: [view('chat.example.org'), view('docs.example.org')] });
  await vi.waitFor(async () => expect(await offered('site', 'docs')).toEqual(['docs.example.org']), {
    timeout: 15_000,
  });
  expect(await offered('site', 'example')).toEqual(['chat.example.org', 'docs.example.org']);
  expect(await offered('branch', 'docs')).toEqual([]);
});

test('suggests controls by ID and by mapped requirements', async () => {
  expect(await offered('control', 'chg-0')).toContain('CHG-01');
  expect(await offered('control', 'soc2/cc8')).toEqual(['soc2/CC8.1']);
});

test('suggests no activity of others to a member limited to own events', async () => {
  const contributor = await server.make.member(acme.id, 'rol_contributor');
  expect(await offered('site', 'docs', contributor)).toEqual([]);
  expect(await offered('repo', 'acme', contributor)).toEqual([]);
  expect(await offered('actor', '', contributor)).toEqual(['@me']);
});
