import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository } from '../testing/repository.ts';
import { readPatches } from './patches.ts';

const repository = createRepository();
beforeAll(() => repository.start());
afterAll(() => repository.remove());

test('computes the patches of a commit once for all pages', { tags: ['full'] }, async () => {
  const sha = await repository.commit('Two files', { 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const [first, second] = await Promise.all([readPatches(repository.path, sha), readPatches(repository.path, sha)]);
  expect(first).toHaveLength(2);
  expect(second).toBe(first);
  for (let number = 0; number < 20; number += 1) {
    await readPatches(repository.path, await repository.commit(`Step ${number}`, { 'c.txt': `${number}\n` }));
  }
  expect(await readPatches(repository.path, sha)).toEqual(first);
});
