import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let temporaryFolder: string;
let withKeptRepository: typeof import('./kept-repositories.ts').withKeptRepository;
beforeEach(async () => {
  // Like a new process.
  vi.resetModules();
  ({ withKeptRepository } = await import('./kept-repositories.ts'));
  temporaryFolder = await mkdtemp(join(tmpdir(), 'sightline-own-'));
  vi.stubEnv('TMPDIR', temporaryFolder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(temporaryFolder, { recursive: true });
});

test('removes folders that a killed process left, and keeps eight of its own', async () => {
  for (const name of ['sightline-kept-old', 'sightline-kept-used', 'other']) {
    await mkdir(join(temporaryFolder, name));
    await writeFile(join(temporaryFolder, name, 'file'), '');
  }
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of ['sightline-kept-old', 'other']) await utimes(join(temporaryFolder, name), longAgo, longAgo);
  const folders: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    folders.push(await withKeptRepository(`key ${index}`, async ({ folder }) => folder));
  }
  const names = (await readdir(temporaryFolder)).map((name) => join(temporaryFolder, name));
  expect(names.toSorted()).toEqual(
    [join(temporaryFolder, 'other'), join(temporaryFolder, 'sightline-kept-used'), ...folders.slice(2)].toSorted(),
  );
  expect(await withKeptRepository('key 9', async ({ folder }) => folder)).toBe(folders[9]);
});

test('runs one reader of a folder at a time, and notices that it was deleted', async () => {
  let running = 0;
  const read = (commit: string) =>
    withKeptRepository('one at a time', async (kept) => {
      running += 1;
      expect(running).toBe(1);
      const before = kept.commit;
      kept.commit = commit;
      await writeFile(join(kept.folder, 'file'), commit);
      running -= 1;
      return { before, folder: kept.folder };
    });
  const [first, second] = await Promise.all([read('a'), read('b')]);
  expect([first.before, second.before]).toEqual([undefined, 'a']);
  await rm(first.folder, { recursive: true });
  expect((await read('c')).before).toBe(undefined);
  await expect(withKeptRepository('one at a time', () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  );
  expect((await read('d')).before).toBe('c');
});
