import { expect, test } from 'vitest';
import { matchDistance, rankMatches } from './rankMatches.ts';

test.each([
  ['', 'Members', '', 0],
  ['mem', 'Members', '', 0],
  ['  MEM ', 'Members', '', 0],
  ['log', 'Audit log', '', 1],
  ['log aud', 'Audit log', '', 1],
  ['dit', 'Audit log', '', 2],
  ['people', 'Members', 'people invite', 3],
  ['eople', 'Members', 'people invite', 4],
  ['log zebra', 'Audit log', '', undefined],
  ['x', 'Members', 'people', undefined],
])('matches %j with %s (%s) as %s', (query, label, synonyms, rank) => {
  expect(matchDistance(query, label, synonyms)).toBe(rank);
});

test('lists the best match first and keeps the order of equal matches', () => {
  const all = [{ label: 'Dark theme' }, { label: 'Home' }, { label: 'Theme of the system' }, { label: 'Light theme' }];
  expect(rankMatches('theme', all).map(({ label }) => label)).toEqual([
    'Theme of the system',
    'Dark theme',
    'Light theme',
  ]);
  expect(rankMatches('', all)).toEqual(all);
});
