import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorStatus } from '@sightline/contract/core/errors.ts';
import { notificationTypes } from '@sightline/contract/delivery/notification-types.ts';
import { MAX_INVITATIONS_PER_REQUEST } from '@sightline/contract/organization/invitations.ts';
import { eventKinds } from '@sightline/contract/timeline/events.ts';
import { identifiersOf } from '@sightline/contract/timeline/identifiers.ts';
import { qualifierDefinitions } from '@sightline/contract/timeline/query-language/keys.ts';
import { queryLimits } from '@sightline/contract/timeline/query-language/reader.ts';
import { MAX_UPLOAD_BYTES } from '@sightline/contract/vulnerabilities/scans.ts';
import { expect, test } from 'vitest';

// Compares the user documentation with the product.

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = (name: string) => read(`docs/${name}.md`);

/** Returns the cells of each row of the table with this header. */
function tableOf(name: string, head: string): string[][] {
  const lines = page(name).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head}`));
  expect(start, `${name} has a table that begins with ${head}`).toBeGreaterThan(-1);
  const after = lines.slice(start + 2);
  const end = after.findIndex((line) => !line.startsWith('|'));
  return after.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

test.each(['user/explore', 'query-language'])(
  'lists exactly the qualifiers and aliases of the language in %s',
  (name) => {
    const written = tableOf(name, 'Qualifier |').flatMap((cells) => {
      const also = quoted(cells.at(-1));
      return quoted(cells[0]).map((key) => [key, ...also].map((word) => word.replace(':', '')));
    });
    const real = Object.entries(qualifierDefinitions).map(([key, { aliases }]) => [key, ...aliases]);
    const sorted = (all: string[][]) => all.map(([key, ...also]) => [key, ...also.sort()].join(' ')).sort();
    expect(sorted(written)).toEqual(sorted(real));
  },
);

test('lists every kind of event in explore.md', () => {
  const [, words = ''] = /\nEvent kinds: (.*?)\n\n/s.exec(page('user/explore')) ?? [];
  const named = quoted(words).filter((word) => !['pr', 'vuln', 'web'].includes(word));
  expect(named.sort()).toEqual([...eventKinds].sort());
});

test('states the limits of the query parser', () => {
  const { characters, terms, list, wildcards, depth } = queryLimits;
  const words = page('user/explore').replaceAll(/\s+/g, ' ');
  expect(words).toContain(
    `${characters.toLocaleString('en')} characters, ${terms} terms, ${list} values in a list, ${wildcards} asterisks`,
  );
  expect(words).toContain(`parentheses group, up to ${depth} deep`);
  expect(page('user/api')).toContain(`${characters.toLocaleString('en')} characters, ${terms} terms, five seconds`);
});

test('names every notification type as in the settings, under its group', () => {
  let group = '';
  const written = tableOf('user/notifications', 'Group |').map(([first = '', label]) => {
    group = first || group;
    return `${group}: ${label}`;
  });
  expect(written.sort()).toEqual(
    Object.values(notificationTypes)
      .map(({ group, label }) => `${group}: ${label}`)
      .sort(),
  );
});

test('names every webhook event type', () => {
  const written = tableOf('user/outgoing-webhooks', 'Types |').flatMap(([cell]) => quoted(cell));
  expect(written.sort()).toEqual(Object.keys(notificationTypes).sort());
});

test('lists every error code with its status', () => {
  const written = tableOf('user/api', 'Code |').flatMap(([codes, status]) =>
    quoted(codes).map((code) => [code, Number(status)]),
  );
  expect(Object.fromEntries(written)).toEqual(errorStatus);
});

test('states the rate limits of the code', () => {
  const limits = Object.fromEntries(tableOf('user/api', 'Item | Limit'));
  expect(read('server/src/core/http.ts')).toContain('const bodyLimit = 1024 * 1024;');
  expect(limits['a body']).toBe('1 MB');
  expect(limits['a SARIF file']).toMatch(new RegExp(`^${MAX_UPLOAD_BYTES / 1024 / 1024} MB, unpacked`));
  expect(page('user/integrations-sarif')).toContain(`A file may have ${MAX_UPLOAD_BYTES / 1024 / 1024} MB, unpacked.`);
  const { accessKey, signInByEmail, signInByNetwork, signInByEmailAndNetwork } = limitsOf(
    read('server/src/core/attempts.ts'),
  );
  expect(accessKey).toEqual([300, 600]);
  expect(limits['uploads with one access key']).toBe('300 in ten minutes');
  expect([signInByEmailAndNetwork, signInByEmail, signInByNetwork]).toEqual([
    [10, 600],
    [50, 3600],
    [60, 600],
  ]);
  expect(limits['sign-ins']).toBe(
    '10 in ten minutes for one address from one network, 50 an hour for one address, 60 in ten minutes for one network',
  );
  expect(limits['addresses in one invitation call']).toBe(String(MAX_INVITATIONS_PER_REQUEST));
});

/** Number of attempts and window in seconds, by the name of the limit. */
const limitsOf = (source: string): Record<string, number[]> =>
  Object.fromEntries(
    [...source.matchAll(/(\w+): \{ name: '[^']+', most: (\d+), windowSeconds: (\d+)/g)].map(
      ([, name, most, seconds]) => [name, [Number(most), Number(seconds)]],
    ),
  );

// The entry in privacy.md of each recorded field; null if no extension sends it.
const recordedFields: Record<string, [row: string, words: string] | null> = {
  'commit.sha': ['A commit you made', 'id'],
  'commit.branch': ['A commit you made', 'branch'],
  'commit.repository': ['A commit you made', 'host and path of the remote'],
  'commit.files': ['A commit you made', 'number of files changed'],
  'ide_clipboard.length': ['A copy or cut in an editor', 'length'],
  'ide_clipboard.sha256': ['A copy or cut in an editor', 'a salted hash'],
  'ide_clipboard.kind': ['A copy or cut in an editor', 'kind (code, text, address, path, number, blank'],
  'ide_clipboard.language': ['A copy or cut in an editor', 'language'],
  'ide_clipboard.action': ['A copy or cut in an editor', 'copy or cut'],
  'ide_clipboard.repository': ['A copy or cut in an editor', 'host and path of the remote'],
  'ide_clipboard.file': ['A copy or cut in an editor', 'path of the file inside its repository'],
  'browser_clipboard.length': ['Copying, cutting, pasting', 'length'],
  'browser_clipboard.sha256': ['Copying, cutting, pasting', 'a salted hash'],
  'browser_clipboard.kind': ['Copying, cutting, pasting', 'kind'],
  'browser_clipboard.action': ['Copying, cutting, pasting', 'copy, cut or paste'],
  'web_page_view.kind': ['A visit', 'the kind of page'],
  'pull_request.repository': null,
  'pull_request.number': null,
  'vulnerability.repository': null,
  'other.what': ['Pausing and resuming', 'the time'],
  'other.tool': ['Installed extensions', 'ID, name and version of each'],
  'other.version': ['Installed extensions', 'ID, name and version of each'],
};

test('lists every field that an extension can send in privacy.md', () => {
  const real = Object.entries(identifiersOf).flatMap(([type, names]) => names.map((name) => `${type}.${name}`));
  expect(Object.keys(recordedFields).sort()).toEqual(real.sort());
  const rows = [...page('user/privacy').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)];
  for (const [name, entry] of Object.entries(recordedFields)) {
    if (!entry) continue;
    const documented = rows.filter(([, row]) => row === entry[0]).map(([, , words]) => words);
    expect(documented.join(' '), name).toContain(entry[1]);
  }
});

// Names used by code hosts, and kinds of tokens.
const noButtons = ['Access token of a workspace or a repository'];

test('names only existing buttons on integration pages', () => {
  const sourcePaths = [
    'web/src',
    'extensions/editor/src',
    'extensions/editor/package.json',
    'extensions/browser/src',
    'contract/src',
    'server/src/domains/sources/integrations',
    'server/src/domains/vulnerabilities',
    'server/src/domains/tools/downloads',
  ];
  const sources = sourcePaths.map(textOf).join('\n').replaceAll(/\s+/g, ' ');
  const missing = readdirSync(join(root, 'docs/user'))
    .filter((file) => file.startsWith('integrations-'))
    .flatMap((file) => {
      const names = [
        ...read(`docs/user/${file}`)
          .replaceAll(/\s+/g, ' ')
          .matchAll(/\*\*([^*]+)\*\*/g),
      ].map(([, name = '']) => name);
      return names
        .filter((name) => !name.endsWith('.') && !noButtons.includes(name) && !patternOf(name).test(sources))
        .map((name) => `${file}: ${name}`);
    });
  expect(missing).toEqual([]);
});

/** A pattern for a button label in the code, which can contain the name of the code host. */
function patternOf(name: string): RegExp {
  const escaped = name.replace(' …', '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(escaped.replaceAll(/GitHub|GitLab|Bitbucket|Gerrit|VS Code/g, '(?:$&|\\$\\{[^}]+\\}|\\{[^}]+\\})'));
}

function textOf(path: string): string {
  if (!path.includes('/src') && !path.startsWith('server')) return read(path);
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|html)$/.test(file) && !file.includes('.test.'))
    .map((file) => read(join(path, file)))
    .join('\n');
}
