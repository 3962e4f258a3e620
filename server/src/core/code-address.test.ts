import { expect, test } from 'vitest';
import { codeAddressOf } from './code-address.ts';

const place = { at: '0123abc', path: 'src/a b.ts', line: 3, lastLine: 5 };

test.each([
  ['github', 'https://github.com/a/b', 'https://github.com/a/b/blob/0123abc/src/a%20b.ts#L3-L5'],
  ['gitlab', 'https://gitlab.com/a/b', 'https://gitlab.com/a/b/-/blob/0123abc/src/a%20b.ts#L3-5'],
  ['gitea', 'https://git.example.com/a/b', 'https://git.example.com/a/b/src/commit/0123abc/src/a%20b.ts#L3-L5'],
  [
    'gerrit',
    'https://review.example.com/r/admin/repos/a/b',
    'https://review.example.com/r/plugins/gitiles/a/b/+/0123abc/src/a%20b.ts#3',
  ],
])('links to lines of a file on %s', (provider, url, expected) => {
  expect(codeAddressOf(provider, url, place)).toBe(expected);
});

test('has no link for a repository without a web page', () => {
  expect(codeAddressOf('gerrit', 'ssh://review.example.com/a', place)).toBeNull();
});
