import { git } from './command.ts';

// A host asks for the patches of a commit page by page: git computes them once.
const mostKept = 8;
const kept = new Map<string, Promise<string[]>>();

/**
 * The text of what a commit changed against its first parent, file by file in the order of `readChanges`: hunks as
 * `git diff` writes them, empty where there is no text to show. One question of git for the whole commit.
 */
export const readPatches = (cwd: string, sha: string): Promise<string[]> => {
  const key = `${cwd} ${sha}`;
  const patches = kept.get(key) ?? computePatches(cwd, sha);
  kept.delete(key);
  kept.set(key, patches);
  patches.catch(() => kept.delete(key));
  for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
  return patches;
};

const computePatches = async (cwd: string, sha: string): Promise<string[]> => {
  const options = ['--format=', '--patch', '--diff-merges=first-parent', '-M', '--no-ext-diff', '--no-textconv'];
  const output = (await git(cwd, ['log', '--max-count=1', ...options, '--end-of-options', sha])).toString();
  // A line of content begins with a space, a sign or a backslash, so that only a head begins like this.
  const files = output.split(/^(?=diff --git )/m).filter((text) => text.startsWith('diff --git '));
  return files.map((text) => /^(?:@@|Binary files )[\s\S]*/m.exec(text)?.[0] ?? '');
};
