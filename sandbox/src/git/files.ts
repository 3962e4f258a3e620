import { git } from './command.ts';
import { entriesOf, findObject } from './objects.ts';

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
  const tree = await findObject(cwd, `${commit}:${parent}`);
  const entry = tree?.type === 'tree' ? entriesOf(tree).find((one) => one.path === name) : undefined;
  if (entry?.type !== 'blob') return entry;
  return { ...entry, size: (await readBlob(cwd, entry.sha)).length };
};

/** Throws where no file has that content. */
export const readBlob = async (cwd: string, sha: string): Promise<Buffer> => {
  const found = await findObject(cwd, sha);
  if (found?.type !== 'blob') throw new Error(`${sha} is no blob in ${cwd}`);
  return found.content;
};

/** The id of the tree a sha or `commit:path` names; undefined when it names none. */
export const findTree = async (cwd: string, treeish: string): Promise<string | undefined> =>
  (await findObject(cwd, `${treeish}^{tree}`))?.sha;

/** Shas of the commits reachable from `tip` that touched a path, newest first. */
export const commitsTouching = async (cwd: string, tip: string, path: string): Promise<string[]> =>
  (await git(cwd, ['log', '--format=%H', tip, '--', path]))
    .toString()
    .split('\n')
    .filter((sha) => sha !== '');
