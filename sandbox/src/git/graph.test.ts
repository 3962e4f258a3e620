import { expect, test } from 'vitest';
import { mergeBase } from './graph.ts';
import type { Commit } from './log.ts';

const commit = (sha: string, parents: string[], at: number): [string, Commit] => {
  const signature = { name: 'Ada', email: 'ada@example.org', date: new Date(at).toISOString(), at };
  return [sha, { sha, parents, tree: '', author: signature, committer: signature, message: sha }];
};

test.each([
  ['of the same second', 1_000],
  ['of later seconds', 2_000],
])('the merge base of a merge and its first parent is that parent, with commits %s', (_, at) => {
  const commits = new Map([
    commit('root', [], 1_000),
    commit('parent', ['root'], at),
    commit('branch', ['root'], at),
    commit('merge', ['parent', 'branch'], at),
  ]);
  for (const [one, other] of [
    ['parent', 'merge'],
    ['merge', 'parent'],
  ] as const)
    expect(mergeBase(commits, one, other)?.sha).toBe('parent');
  expect(mergeBase(commits, 'parent', 'branch')?.sha).toBe('root');
});
