import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = new URL('../../../', import.meta.url);

/** The TypeScript files below some folders of the repository, tracked or new, without tests. */
export async function sourceFiles(folders: readonly string[]): Promise<{ path: string; url: URL }[]> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders];
  const { stdout } = await promisify(execFile)('git', list, { cwd: fileURLToPath(root), maxBuffer: 16 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, url: new URL(path, root) }));
}
