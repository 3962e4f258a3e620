import { expect, test } from 'vitest';
import { evaluatedItemName } from './item-name.ts';

const id = '3b6a4b1f-4b9e-8d33-b721-ede04b34cb82';

test.each([
  [`commit:${id}:0da36d22cfdb743cf4990b6f1226f7e2284bc305`, 'Commit 0da36d22cfdb'],
  [`change:${id}`, 'Change ede04b34cb82'],
  [`branch:${id}:2026-10-05:release/a:b`, 'Branch release/a:b on 2026-10-05'],
  [`repository:${id}:2026-10-05`, 'Repository ede04b34cb82 on 2026-10-05'],
])('names the key %s as %s', (key, words) => {
  expect(evaluatedItemName(key)).toBe(words);
});

test.each(['row 7', 'planet:earth', 'commit:only', 'branch:only:2026-10-05', 'change'])(
  'returns the unknown key %s unchanged',
  (key) => {
    expect(evaluatedItemName(key)).toBe(key);
  },
);
