import { expect, test } from 'vitest';
import { commitsOfLines } from './blame.ts';

const blame = `^1111111 (Ada Byron          2026-01-01 10:00:00 +0100 1) first (2026-01-01 10:00:00 +0100 9) x
2222222222 src/old name.ts (Grace B. Hopper 2026-01-03 10:00:00 +0000  2) second
3333333333 (Ada Byron          2026-01-02 10:00:00 -0500 3) third
000000000000 (Not Committed Yet 2026-01-04 10:00:00 +0000 4) fourth
2222222222 (Grace B. Hopper    2026-01-03 10:00:00 +0000 5) fifth
`;

test('names the commits of lines, newest first, without repeats', () => {
  expect(commitsOfLines(blame, 1, 5)).toEqual([
    { sha: '2222222222', author: 'Grace B. Hopper', when: '2026-01-03 10:00:00 +0000' },
    { sha: '3333333333', author: 'Ada Byron', when: '2026-01-02 10:00:00 -0500' },
    { sha: '1111111', author: 'Ada Byron', when: '2026-01-01 10:00:00 +0100' },
  ]);
  expect(commitsOfLines(blame, 3, 3).map(({ sha }) => sha)).toEqual(['3333333333']);
});

test('names no commit for uncommitted lines', () => {
  expect(commitsOfLines(blame, 4, 4)).toEqual([]);
  expect(commitsOfLines('', 1, 9)).toEqual([]);
});
