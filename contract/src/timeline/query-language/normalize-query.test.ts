import { expect, test } from 'vitest';
import { normalizeQuery } from './normalize-query.ts';
import { parseQueryOrThrow } from './parse.ts';
import { printQuery } from './print.ts';

test.each([
  ['repo:a repo:b', 'repo:[a,b]'],
  ['repo:a kind:commit repo:[b,c]', 'repo:[a,b,c] kind:commit'],
  ['repo:a (x repo:b)', 'repo:[a,b] x'],
  ['repo:a -repo:b', 'repo:a -repo:b'],
  ['-repo:a -repo:b', '-repo:a -repo:b'],
  ['file:a file:b', 'file:a file:b'],
  ['pr:>5 pr:<9', 'pr:>5 pr:<9'],
  ['after:-7d after:-1d', 'after:-7d after:-1d'],
  ['a OR (b OR c)', 'a OR b OR c'],
  ['a (b c)', 'a b c'],
  ['-(-a)', 'a'],
  ['-(-(-a))', '-a'],
  ['repo:a OR repo:b', 'repo:a OR repo:b'],
])('reads %s as %s', (query, meaning) => {
  const node = parseQueryOrThrow(query);
  expect(node && printQuery(normalizeQuery(node))).toBe(meaning);
});
