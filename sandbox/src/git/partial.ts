import { eachField, git } from './command.ts';

/** Thrown if a partial clone lacks the files of a change. Hosts return 410. */
export class MissingObjects extends Error {
  override name = 'MissingObjects';
  readonly statusCode = 410;
  constructor(of: string) {
    super(`The repository is a partial clone without the files of ${of}`);
  }
}

/** Whether the repository is a partial clone (`git clone --filter`). */
export const isPartialClone = async (cwd: string): Promise<boolean> =>
  (await git(cwd, ['config', '--get-regexp', '^remote\\..*\\.promisor$']).catch(() => Buffer.of())).length > 0;

/** Returns the commits with changed files that a partial clone lacks; all commits if it lacks folders. */
export const commitsWithMissingFiles = async (cwd: string, shas: string[]): Promise<Set<string>> => {
  const input = `${shas.join('\n')}\n`;
  const objects = await git(cwd, ['rev-list', '--objects', '--missing=print', '--stdin'], input);
  const missing = new Set([...objects.toString().matchAll(/^\?([0-9a-f]+)$/gm)].map(([, sha = '']) => sha));
  const found = new Set<string>();
  let commit = '';
  let isPath = false;
  const args = ['log', '--no-walk=unsorted', '--stdin', '-z', '--diff-merges=first-parent', '--raw', '--no-abbrev'];
  const read = eachField(cwd, [...args, '--no-renames', '--format=tformat:%x01%H'], input, (field) => {
    const text = field.replace(/^\n/, '');
    // Each line of `--raw` is followed by a path, which can have any form.
    if (isPath) isPath = false;
    else if (text.startsWith('\u0001')) commit = text.slice(1);
    else if (text.startsWith(':')) {
      isPath = true;
      if (text.split(' ').some((word) => missing.has(word))) found.add(commit);
    }
  });
  return read.then(
    () => found,
    () => new Set(shas),
  );
};
