import { exportPersonalData, getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import {
  refusalOf,
  startTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { ingestCommits } from '../../sources/ingest/commands.ts';

let server: TestServer;
let acme: TestOrganization;
let ada: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ environment: { BACKUP_DAYS: '35' } });
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  ada = await server.make.member(acme.id, 'rol_contributor');
  const repositoryId = await createTestRepository(server, acme);
  const author = { name: 'Ada', email: ada.email, login: null, avatarUrl: null };
  const other = { name: 'Olga', email: acme.owner.email, login: null, avatarUrl: null };
  const commits = [author, author, other].map((by, n) => ({
    sha: `${n}`.repeat(40),
    message: `Change ${n}`,
    author: by,
    committer: by,
    parents: [],
    authoredAt: `2026-03-0${n + 1}T10:00:00Z`,
    committedAt: `2026-03-0${n + 1}T10:00:00Z`,
  }));
  await ingestCommits(server.services, acme.id, repositoryId, { commits, branch: 'main' });
  await server.as(ada, acme.id)(recordEvents, {
    body: [
      send('web_page_view', '2026-03-10T10:00:00Z', { kind: 'issue' }),
      send('browser_clipboard', '2026-03-10T10:01:00Z', {}),
      send('other', '2026-03-10T11:00:00Z', { what: 'paused' }),
      send('other', '2026-03-10T12:00:00Z', { what: 'resumed' }),
      send('other', '2026-03-11T09:00:00Z', { what: 'paused' }),
    ],
  });
});
afterAll(() => server.close());

const send = (event_type: string, original_timestamp: string, identifiers: object) => ({
  plugin_id: 'sightline-browser',
  event_type,
  message_id: newId(),
  identifiers,
  original_timestamp,
  tracking_source: 'chrome',
  content_uri: 'https://wiki.example.org/',
});

test('members see only their own recorded data, with dates and retention', { tags: 'full' }, async () => {
  const { items, pauses, erasure, backupDays } = await server.as(ada, acme.id)(getPersonalData, {});
  const of = (id: string) => items.find((item) => item.id === id);
  expect(of('commits')).toMatchObject({
    count: 2,
    first: '2026-03-01T10:00:00.000Z',
    last: '2026-03-02T10:00:00.000Z',
    source: 'code_hosts',
  });
  expect(of('browser_events')).toMatchObject({ count: 4, first: '2026-03-10T10:00:00.000Z', source: 'browser' });
  expect(of('browser_copies')).toMatchObject({ count: 1 });
  expect(of('editor_events')).toMatchObject({ count: 0, first: null, last: null });
  expect(of('profile')).toMatchObject({ count: 1 });
  expect(
    items.every(
      ({ fields, visibleTo, retention, erasureEffect }) => fields.length > 0 && visibleTo && retention && erasureEffect,
    ),
  ).toBe(true);
  expect(pauses).toEqual([
    { program: 'chrome', side: 'browser', from: '2026-03-11T09:00:00.000Z', to: null },
    { program: 'chrome', side: 'browser', from: '2026-03-10T11:00:00.000Z', to: '2026-03-10T12:00:00.000Z' },
  ]);
  expect(erasure).toBeNull();
  expect(backupDays).toBe(35);
  const others = await server.as(acme.owner, acme.id)(getPersonalData, {});
  expect(others.items.find(({ id }) => id === 'commits')).toMatchObject({ count: 1 });
  expect(others.pauses).toEqual([]);
});

test('exports all recorded data and audits the export', async () => {
  const answer = await fetch(`${server.url}/api${exportPersonalData.path}`, {
    headers: { authorization: `Bearer ${await server.token(ada, acme.id)}` },
  });
  expect(answer.headers.get('content-type')).toContain('application/json');
  const text = await answer.text();
  const file = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  expect(file.account).toEqual([expect.objectContaining({ email: ada.email })]);
  expect(file.commits?.map(({ message }) => message)).toEqual(['Change 0', 'Change 1']);
  expect(file.events).toHaveLength(7);
  expect(file.names?.length).toBeGreaterThan(1);
  expect(text).not.toContain(acme.owner.email);
  const entries = await server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .selectFrom('audit_event')
      .select(['action', 'actor_id'])
      .where('action', '=', 'personal_data.exported')
      .execute(),
  );
  expect(entries).toEqual([{ action: 'personal_data.exported', actor_id: ada.id }]);
});

test('returns 403 for a non-member', async () => {
  const outsider = await server.make.account();
  expect(await refusalOf(server.as(outsider, acme.id)(getPersonalData, {}))).toMatchObject({ status: 403 });
});
