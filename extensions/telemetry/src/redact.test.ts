import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipboardKindOf } from './kind.ts';
import { clipboardFacts, newSalt, redactRemote } from './redact.ts';

test('records length, kind and salted hash of a copy, and none of its text', async () => {
  const salt = newSalt();
  const text = 'const canary = "orange-elephant-4711";';
  const facts = await clipboardFacts(text, salt);
  expect(facts).toMatchObject({ length: '38', kind: 'code', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.stringify(facts)).not.toMatch(/canary|orange|4711/);
  expect(await clipboardFacts(text, salt)).toEqual(facts);
  expect((await clipboardFacts(text, newSalt())).sha256).not.toBe(facts.sha256);
});

test('records no hash of short texts or secrets', async () => {
  const salt = newSalt();
  expect(await clipboardFacts('4711', salt)).toEqual({ length: '4', kind: 'number' });
  expect(await clipboardFacts('ghp_0123456789abcdefABCDEF0123456789abcd', salt)).toEqual({
    length: '40',
    kind: 'secret-like',
  });
});

test.each([
  ['', 'empty'],
  [' \n\t ', 'empty'],
  ['1,234.50', 'number'],
  ['42%', 'number'],
  ['https://example.org/a?b=c', 'url'],
  ['https://ada:hunter22@example.org/', 'secret-like'],
  ['/usr/local/bin/node', 'path'],
  ['C:\\Users\\ada\\notes.txt', 'path'],
  ['src/features/events/record.ts:42', 'path'],
  ['~/projects/api', 'path'],
  ['Dear Ada, how are you? I am fine.', 'text'],
  ['Ünïcödé wörds and 漢字', 'text'],
  ['export const one = (two: number) => two + 1;', 'code'],
  ['git', 'text'],
  ['for (let i = 0; i < 3; i++) {\n  run(i);\n}', 'code'],
  ['<div class="a">b</div>', 'code'],
  ['console.log(1)', 'code'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE', 'secret-like'],
  ['AKIAIOSFODNN7EXAMPLE', 'secret-like'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', 'secret-like'],
  ['DB_PASSWORD=correct-horse', 'secret-like'],
  ['Authorization: Bearer abcdefghijklmnop1234', 'secret-like'],
  ['xK9f3QmZ7aB2cD8eR4tY6uI1oP5s', 'secret-like'],
  ['0123456789abcdef0123456789abcdef01234567', 'text'],
  ['018f2c1e-7b7c-7c4e-9d3f-1a2b3c4d5e6f', 'text'],
])('guesses for %j: %s', (text, kind) => {
  expect(clipboardKindOf(text)).toBe(kind);
});

test('guesses quickly for any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 5000 }),
        fc.constantFrom('a/', '\\', '-', 'A1b', '<', '.', ' ').map((part) => part.repeat(4000)),
      ),
      (text) => {
        expect(typeof clipboardKindOf(text)).toBe('string');
      },
    ),
  );
});

test.each([
  ['git@github.com:acme/api.git', 'github.com/acme/api'],
  ['https://ada:secret@GitHub.com/acme/api.git', 'github.com/acme/api'],
  ['https://github.com/acme/api.git?token=secret#secret', 'github.com/acme/api'],
  ['ssh://git@git.example.org:2222/group/sub/api.git', 'git.example.org/group/sub/api'],
  ['git+ssh://git@git.example.org:2222/group/api', 'git.example.org/group/api'],
  ['http://127.0.0.1:3001/acme/api', '127.0.0.1/acme/api'],
  ['git@work:acme/api.git', 'work/acme/api'],
  ['ssh://git@ssh.github.com:443/acme/api', 'github.com/acme/api'],
  ['/srv/git/api.git', undefined],
  ['../api', undefined],
  ['file:///srv/git/api.git', undefined],
  ['C:\\work\\api', undefined],
  ['C:/work/api', undefined],
  ['https://github.com/', undefined],
  ['', undefined],
])('redacts the remote %j to %s', (remote, expected) => {
  expect(redactRemote(remote)).toBe(expected);
});

test('removes user, password and query from remotes', () => {
  const word = fc.stringMatching(/^[a-z0-9]{4,12}$/);
  fc.assert(
    fc.property(word, word, word, (user, password, path) => {
      for (const remote of [
        `https://u${user}:${password}secret@code.example/acme/${path}.git?q=${password}secret`,
        `ssh://u${user}:${password}secret@code.example:22/acme/${path}`,
      ]) {
        expect(redactRemote(remote)).toBe(`code.example/acme/${path}`);
      }
    }),
  );
});
