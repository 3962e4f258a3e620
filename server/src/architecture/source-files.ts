import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');

/** Returns the TypeScript files below some folders of the repository, tracked or new, without tests. */
export async function readSourceFiles(folders: readonly string[]): Promise<{ path: string; text: string }[]> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  const paths = stdout.split('\n').filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })));
}
