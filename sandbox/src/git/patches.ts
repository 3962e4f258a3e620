import { git } from './command.ts';

// Clients request patches page by page, so they are computed once.
const MAX_CACHED_PATCHES = 8;
const patchCache = new Map<string, Promise<string[]>>();

/**
 * Returns the patch of each file of a commit against its first parent, in the order of `readChanges`: hunks as in `git
 * diff`, empty without text. Uses one git process per commit.
 */
export const readPatches = (cwd: string, sha: string): Promise<string[]> => {
  const key = `${cwd} ${sha}`;
  const patches = patchCache.get(key) ?? computePatches(cwd, sha);
  patchCache.delete(key);
  patchCache.set(key, patches);
  patches.catch(() => patchCache.delete(key));
  for (const oldest of [...patchCache.keys()].slice(0, -MAX_CACHED_PATCHES)) patchCache.delete(oldest);
  return patches;
};

/** Returns the difference between two commits as `git diff` writes it. */
export const readDiffText = async (cwd: string, from: string, to: string): Promise<string> =>
  (await git(cwd, ['diff', '-M', '--no-ext-diff', '--no-textconv', from, to])).toString();

/** Returns the patch of each file that differs between two commits, in the order of `readDifference`. */
export const readDifferencePatches = async (cwd: string, from: string, to: string): Promise<string[]> =>
  patchesIn(await readDiffText(cwd, from, to));

const computePatches = async (cwd: string, sha: string): Promise<string[]> => {
  const options = ['--format=', '--patch', '--diff-merges=first-parent', '-M', '--no-ext-diff', '--no-textconv'];
  return patchesIn((await git(cwd, ['log', '--max-count=1', ...options, '--end-of-options', sha])).toString());
};

const patchesIn = (output: string): string[] => {
  // Lines of content start with a space, a sign or a backslash, so only headers start like this.
  const files = output.split(/^(?=diff --git )/m).filter((text) => text.startsWith('diff --git '));
  return files.map((text) => /^(?:@@|Binary files )[\s\S]*/m.exec(text)?.[0] ?? '');
};
