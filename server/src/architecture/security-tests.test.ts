import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);

test('docs/security.md names tests that exist', async () => {
  const page = await readFile(new URL('docs/security.md', root), 'utf8');
  const named = [...page.matchAll(/^\|.*\| `([\w/-]+\.test\.ts)`: (.+) \|$/gm)];
  expect(named.length).toBeGreaterThan(25);
  for (const [, file = '', title = ''] of named) {
    const text = await readFile(new URL(`server/src/${file}`, root), 'utf8');
    expect([file, title, text.includes(title)]).toEqual([file, title, true]);
  }
});
