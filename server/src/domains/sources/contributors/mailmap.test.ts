import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_MAILMAP_ENTRIES, parseMailmap } from './mailmap.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailmap-'));
  execFileSync('git', ['init', '--quiet', folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const entry = (commitEmail: string, overrides: object = {}) => ({
  properName: null,
  properEmail: null,
  commitName: null,
  commitEmail,
  ...overrides,
});

test.each([
  ['Proper Name <commit@email.xx>', entry('commit@email.xx', { properName: 'Proper Name' })],
  ['<proper@email.xx> <commit@email.xx>', entry('commit@email.xx', { properEmail: 'proper@email.xx' })],
  [
    'Proper Name <proper@email.xx> <commit@email.xx>',
    entry('commit@email.xx', { properName: 'Proper Name', properEmail: 'proper@email.xx' }),
  ],
  [
    'Proper Name <proper@email.xx> Commit Name <Commit@Email.xx> # moved',
    entry('commit@email.xx', {
      properName: 'Proper Name',
      properEmail: 'proper@email.xx',
      commitName: 'Commit Name',
    }),
  ],
])('parses the line %s', (line, expected) => {
  expect(parseMailmap(line)).toEqual([expected]);
});

test('skips comments, blank lines and malformed lines', () => {
  const text = '# Ada <ada@example.org> <a@example.org>\r\n\r\n  \nAda\nAda <ada@example.org\n<> <a@example.org>\n';
  expect(parseMailmap(text)).toEqual([]);
});

test('replaces an earlier line for the same address with a later one', () => {
  const text = 'Ada <one@example.org> <a@example.org>\n<two@example.org> <A@example.org>\n';
  expect(parseMailmap(text)).toEqual([entry('a@example.org', { properName: 'Ada', properEmail: 'two@example.org' })]);
});

test('reads a limited number of entries', () => {
  const line = (_: unknown, index: number) => `<ada@example.org> <a${index}@example.org>`;
  expect(parseMailmap(Array.from({ length: 6_000 }, line).join('\n'))).toHaveLength(MAX_MAILMAP_ENTRIES);
});

test('maps each contact to the address that git maps it to', () => {
  const text = [
    '# People',
    'Ada Lovelace <ada@example.org> <ADA@old.example>',
    'Zoë <zoe@example.org> Zoe <shared@example.org>',
    '<bob@example.org> <bob@old.example> # since 2024',
    '  Eve  <eve@example.org>  Evil  Eve  <eve@old.example>',
    'Name Only <name@example.org>',
  ].join('\n');
  writeFileSync(join(folder, '.mailmap'), text);
  const contacts = [
    ...['A <ada@old.example>', 'Zoe <shared@example.org>', 'zoe <Shared@example.org>', 'Jo <shared@example.org>'],
    ...['Bob <Bob@old.example>', 'Evil  Eve <eve@old.example>', 'X <name@example.org>', 'Y <nobody@example.org>'],
  ];
  const byGit = execFileSync('git', ['check-mailmap', ...contacts], { cwd: folder, encoding: 'utf8' });
  const emails = byGit
    .trim()
    .split('\n')
    .map((line) => line.replace(/^.*<(.*)>$/, '$1').toLowerCase());
  const entries = parseMailmap(text);
  const mapped = contacts.map((contact) => {
    const [, name = '', email = ''] = /^(.*) <(.*)>$/.exec(contact.toLowerCase()) ?? [];
    const found = entries.filter(({ commitEmail }) => commitEmail === email);
    const named = found.find(({ commitName }) => commitName?.toLowerCase() === name);
    return (named ?? found.find(({ commitName }) => commitName === null))?.properEmail ?? email;
  });
  expect(mapped).toEqual(emails);
});
