import { randomUUID } from 'node:crypto';
import { type Event, getEvent, recordEvents } from '@sightline/contract/timeline/events.ts';
import { identifiersOf } from '@sightline/contract/timeline/identifiers.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestRepository } from '#testing/findings.ts';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { validIdentifiersOf } from './identifiers.ts';

let server: TestServer;
let acme: TestOrganization;
let remote: string;
let fullName: string;

beforeAll(async () => {
  server = await shareTestServer();
  acme = await server.make.organization('Acme');
  const id = await createTestRepository(server, acme);
  const row = await server.services.database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('repository').select(['full_name', 'html_url']).where('id', '=', id).executeTakeFirstOrThrow(),
  );
  fullName = row.full_name;
  remote = `${new URL(row.html_url).hostname}/${fullName.toUpperCase()}`;
});
afterAll(() => server.close());

const sha = '0123456789abcdef0123456789abcdef01234567';

async function shown(event_type: string, identifiers: Record<string, string>, more = {}): Promise<Event> {
  const message_id = randomUUID();
  const item = {
    plugin_id: 'sightline-editor',
    event_type,
    message_id,
    identifiers,
    original_timestamp: '2026-11-20T10:00:00Z',
    tracking_source: 'vscode',
    ...more,
  };
  const call = server.as(acme.owner, acme.id);
  expect(await call(recordEvents, { body: [item] })).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  return call(getEvent, { params: { eventId: message_id } });
}

const sentenceOf = ({ summary: { phrase, parameters } }: Event) =>
  phrase
    .replaceAll(/\{(\d+)\}/g, (_, index) => parameters[Number(index)]?.display ?? '?')
    .replace(acme.owner.email, 'Ada');
const details = ({ detail }: Event) =>
  Object.fromEntries((detail?.parameters ?? []).map(({ label, parameter }) => [label, parameter.display]));

test('names branch and enabled repository for a commit from the editor', async () => {
  const event = await shown('commit', { sha, branch: 'feature/x', repository: remote, files: '3' });
  expect(sentenceOf(event)).toBe(`Ada committed 0123456 to feature/x in ${fullName}`);
  expect(details(event)).toEqual({
    Commit: sha,
    Branch: 'feature/x',
    Repository: fullName,
    'Files changed': '3',
    'Sent by': 'sightline-editor',
  });
});

test('names no repository for a commit without one', async () => {
  expect(sentenceOf(await shown('commit', { sha, branch: 'main' }))).toBe('Ada committed 0123456');
});

test('stores only the fact of a commit for a repository that is not enabled', async () => {
  const event = await shown('commit', {
    sha,
    branch: 'at-home',
    repository: 'github.com/ada/private-thing',
    files: '1',
  });
  expect(sentenceOf(event)).toBe('Ada committed 0123456 in a repository that is not enabled');
  const copy = await shown('ide_clipboard', {
    length: '4',
    file: 'diary.md',
    repository: 'github.com/ada/private-thing',
  });
  expect(sentenceOf(copy)).toBe('Ada copied 4 characters in the editor');
  expect(JSON.stringify([event, copy])).not.toMatch(/private-thing|at-home|diary/);
});

test.each([
  ['ide_clipboard', { length: '120', kind: 'code', action: 'cut' }, {}, 'Ada cut 120 characters of code in the editor'],
  ['ide_clipboard', { length: '1', kind: 'text' }, {}, 'Ada copied 1 character of text in the editor'],
  ['ide_clipboard', {}, {}, 'Ada copied text in the editor'],
  [
    'browser_clipboard',
    { length: '9', kind: 'secret-like', action: 'paste' },
    { content_uri: 'https://claude.ai/chat/1' },
    'Ada pasted 9 characters of a possible secret on claude.ai',
  ],
  [
    'web_page_view',
    { kind: 'pull_request' },
    { content_uri: 'https://github.com/' },
    'Ada viewed a pull request on github.com',
  ],
  ['web_page_view', { kind: 'search' }, { content_uri: 'https://github.com/' }, 'Ada searched on github.com'],
  ['web_page_view', {}, { content_uri: 'http://claude.ai/' }, 'Ada viewed claude.ai'],
  ['web_page_view', {}, { content_uri: 'file:///home/ada/diary.txt' }, 'Ada viewed'],
  ['other', { what: 'extension_installed', tool: 'acme.lint', version: '1.2.0' }, {}, 'Ada installed acme.lint 1.2.0'],
  ['other', { what: 'paused' }, {}, 'Ada paused recording in vscode'],
  ['other', { what: 'constructor', tool: 'x' }, {}, 'Ada was active in vscode'],
])('describes %s %o in a sentence', async (type, identifiers, more, sentence) => {
  expect(sentenceOf(await shown(type, identifiers, more))).toBe(sentence);
});

test('stores no unlisted identifier and no value of the wrong format', async () => {
  const secret = 'The text of a page: my PIN is 4711';
  const event = await shown(
    'web_page_view',
    { title: secret, kind: secret, text: secret, sha: secret, constructor: secret },
    { content_uri: `https://ada:pin-4711@github.com/pin-4711?q=pin-4711#pin-4711` },
  );
  expect(JSON.stringify(event)).not.toMatch(/4711|PIN/);
  const rows = await server.services.database.withOrg(acme.id, (tx) =>
    tx.query<{ row: string }>({
      name: '',
      text: 'select to_jsonb(e)::text as row from event e where org_id = $1',
      values: [acme.id],
    }),
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/pin-4711|my PIN/);
});

test('stores no sentence in an identifier, for any input', () => {
  const types = Object.keys(identifiersOf) as (keyof typeof identifiersOf)[];
  // A file name can contain any text.
  const listedNames = Object.values(identifiersOf)
    .flat()
    .filter((name) => name !== 'file');
  const names = [...new Set(listedNames), 'title', '__proto__', 'toString'];
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.dictionary(
        fc.constantFrom(...names),
        fc.string({ maxLength: 40 }).map((text) => `Dear ${text} Ada, how are you`),
      ),
      (type, given) => {
        expect(validIdentifiersOf(type, given)).toEqual({});
      },
    ),
  );
});
