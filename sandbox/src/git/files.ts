import { git } from './command.ts';
import { entriesOf, findObject } from './objects.ts';

/** `size` is in bytes and set for a blob only; `type` is "commit" for a submodule. */
export type TreeEntry = { mode: string; type: 'blob' | 'tree' | 'commit'; sha: string; size?: number; path: string };

/**
 * Returns the entries of a tree (or of a commit's tree), including subfolders if `recursive`. Throws for an unknown
 * tree.
 */
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

/** Returns the entry at a path of a commit; undefined without one. */
export const findEntry = async (cwd: string, commit: string, path: string): Promise<TreeEntry | undefined> => {
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const name = path.slice(parent === '' ? 0 : parent.length + 1);
  const tree = await findObject(cwd, `${commit}:${parent}`);
  const entry = tree?.type === 'tree' ? entriesOf(tree).find((one) => one.path === name) : undefined;
  if (entry?.type !== 'blob') return entry;
  return { ...entry, size: (await readBlob(cwd, entry.sha)).length };
};

/** Throws for an unknown blob. */
export const readBlob = async (cwd: string, sha: string): Promise<Buffer> => {
  const found = await findObject(cwd, sha);
  if (found?.type !== 'blob') throw new Error(`${sha} is no blob in ${cwd}`);
  return found.content;
};

/** Returns the ID of the tree of a SHA or `commit:path`; undefined without one. */
export const findTree = async (cwd: string, treeish: string): Promise<string | undefined> =>
  (await findObject(cwd, `${treeish}^{tree}`))?.sha;

/** SHAs of the commits reachable from `tip` that changed a path, newest first. */
export const commitsTouching = async (cwd: string, tip: string, path: string): Promise<string[]> =>
  (await git(cwd, ['log', '--format=%H', tip, '--', path]))
    .toString()
    .split('\n')
    .filter((sha) => sha !== '');
