import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository } from '../testing/repository.ts';
import { findEntry, findTree, readBlob, readTree } from './files.ts';
import { entriesOf, findObject } from './objects.ts';

const repository = createRepository('objects');
const large = 'A line like any other.\n'.repeat(100_000);

beforeAll(async () => {
  await repository.start();
  await repository.commit('Files', { 'src/a b.ts': 'one\n', 'large.txt': large, 'src/deep/ü.ts': '' });
  const { git } = repository;
  const link = git(['rev-parse', 'HEAD:src/a b.ts']);
  git(['update-index', '--add', '--cacheinfo', `120000,${link},link`]);
  git(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`]);
  git(['commit', '--quiet', '-m', 'A link and a module']);
});
afterAll(() => repository.remove());

test('lists entries like git', async () => {
  const { path } = repository;
  const top = await readTree(path, 'HEAD:', false);
  expect(top.map(({ path: name }) => name)).toEqual(['large.txt', 'link', 'module', 'src']);
  for (const entry of top) expect(await findEntry(path, 'HEAD', entry.path)).toEqual(entry);
  for (const name of ['a b.ts', 'deep']) {
    const listed = (await readTree(path, 'HEAD:src', false)).find((entry) => entry.path === name);
    expect(await findEntry(path, 'HEAD', `src/${name}`)).toEqual(listed);
  }
  expect(await findEntry(path, 'HEAD', 'src/deep/ü.ts')).toMatchObject({ path: 'ü.ts', size: 0 });
  for (const name of ['none', 'src/none', 'none/a', 'large.txt/a']) {
    expect(await findEntry(path, 'HEAD', name)).toBeUndefined();
  }
});

test('answers concurrent requests each with its own response', async () => {
  const { path, git } = repository;
  const names = ['HEAD:large.txt', 'HEAD:none', 'HEAD:src/a b.ts', 'HEAD', 'refs/heads/none', 'HEAD:'];
  const found = await Promise.all([...names, ...names].map((name) => findObject(path, name)));
  const types = ['blob', undefined, 'blob', 'commit', undefined, 'tree'];
  expect(found.map((one) => one?.type)).toEqual([...types, ...types]);
  expect(found[6]?.content.toString()).toBe(large);
  expect(found[3]?.sha).toBe(git(['rev-parse', 'HEAD']));
  expect(await findTree(path, 'HEAD')).toBe(found[5]?.sha);
  expect(found[5] && entriesOf(found[5]).map(({ mode, path: name }) => `${mode} ${name}`)).toEqual([
    '100644 large.txt',
    '120000 link',
    '160000 module',
    '040000 src',
  ]);
  expect((await readBlob(path, found[8]?.sha ?? '')).toString()).toBe('one\n');
  await expect(readBlob(path, found[5]?.sha ?? '')).rejects.toThrow('is no blob');
});

test('handles a name with a line break as one request', async () => {
  const { path } = repository;
  expect(await findObject(path, 'HEAD\nHEAD')).toBeUndefined();
  expect((await findObject(path, 'HEAD:src/a b.ts'))?.content.toString()).toBe('one\n');
});

test('stops an idle git process, starts another on demand, and reports a missing repository', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await findObject(repository.path, 'HEAD'))?.type).toBe('commit');
  await expect(findObject('/', 'HEAD')).rejects.toThrow('git cat-file ended in /');
});
