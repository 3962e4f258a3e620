import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createRepository } from '../testing/repository.ts';
import { changesOf, differenceOf, openRepository, unlessMissing } from './repository.ts';

let folder = '';
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates a partial clone with `filter` and deletes its origin. */
async function clonePartly(filter: string) {
  const origin = createRepository();
  await origin.start();
  const shas = [
    await origin.commit('First', { 'a.txt': 'first\n', ':b.txt': 'kept\n' }),
    await origin.commit('Second', { 'a.txt': 'second\n' }),
    await origin.commit('Third', { 'c.txt': 'third\n' }),
  ] as const;
  folder = mkdtempSync(join(tmpdir(), 'partial-'));
  const path = join(folder, 'widgets');
  origin.git(['config', 'uploadpack.allowFilter', 'true']);
  execFileSync('git', ['clone', '--quiet', `--filter=${filter}`, `file://${origin.path}`, path], { stdio: 'ignore' });
  await origin.remove();
  return { repository: await openRepository(path), shas };
}

test('reads changes of other commits in a clone without old files, and reports missing ones', async () => {
  const { repository, shas } = await clonePartly('blob:none');
  const [first, second, third] = shas;
  expect(repository.commits.size).toBe(3);
  expect(await changesOf(repository, third)).toMatchObject([{ path: 'c.txt', status: 'added', additions: 1 }]);
  const message = (sha: string) => `The repository is a partial clone without the files of commit ${sha}`;
  for (const sha of [first, second]) await expect(changesOf(repository, sha)).rejects.toThrow(message(sha));
  await expect(differenceOf(repository, first, third)).rejects.toMatchObject({ statusCode: 410 });
  expect(await unlessMissing(changesOf(repository, first))).toBeUndefined();
});

test('reads every commit in a clone without old folders', async () => {
  const { repository, shas } = await clonePartly('tree:0');
  expect([...repository.commits.keys()].toSorted()).toEqual([...shas].toSorted());
  await expect(changesOf(repository, shas[0])).rejects.toMatchObject({ statusCode: 410 });
});
