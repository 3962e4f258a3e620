import { git } from './command.ts';

/** `size` is in bytes and only known for a blob; `type` is "commit" for a submodule. */
export type TreeEntry = { mode: string; type: 'blob' | 'tree' | 'commit'; sha: string; size?: number; path: string };

/** The entries of a tree (or of a commit's tree), with those of its folders when `recursive`. Throws when unknown. */
export const readTree = async (cwd: string, treeish: string, recursive: boolean): Promise<TreeEntry[]> => {
  const args = ['ls-tree', '-z', '--long', ...(recursive ? ['-r', '-t'] : []), '--end-of-options', treeish];
  const lines = (await git(cwd, args))
    .toString()
    .split('\0')
    .filter((line) => line !== '');
  return lines.flatMap((line) => {
    const match = /^(\d+) (blob|tree|commit) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line);
    if (match === null) return [];
    const [, mode = '', type, sha = '', size = '-', path = ''] = match;
    return { mode, type: type as TreeEntry['type'], sha, path, ...(size === '-' ? {} : { size: Number(size) }) };
  });
};

/** What stands at a path of a commit; undefined when nothing does. */
export const findEntry = async (cwd: string, commit: string, path: string): Promise<TreeEntry | undefined> => {
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const name = path.slice(parent === '' ? 0 : parent.length + 1);
  const entries = await readTree(cwd, `${commit}:${parent}`, false).catch(() => []);
  return entries.find((entry) => entry.path === name);
};

export const readBlob = (cwd: string, sha: string): Promise<Buffer> => git(cwd, ['cat-file', 'blob', sha]);

/** The id of the tree a sha or `commit:path` names; undefined when it names none. */
export const findTree = async (cwd: string, treeish: string): Promise<string | undefined> =>
  (await git(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${treeish}^{tree}`]).catch(() => undefined))
    ?.toString()
    .trim();

/** Shas of the commits reachable from `tip` that touched a path, newest first. */
export const commitsTouching = async (cwd: string, tip: string, path: string): Promise<string[]> =>
  (await git(cwd, ['log', '--format=%H', tip, '--', path]))
    .toString()
    .split('\n')
    .filter((sha) => sha !== '');
