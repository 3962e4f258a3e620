import { eachField } from './command.ts';

/** One file of a commit. `additions` and `deletions` count lines; both are 0 for a binary file. */
export type FileChange = {
  path: string;
  previousPath?: string;
  status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed';
  blob: string;
  additions: number;
  deletions: number;
};

/**
 * Returns the changed files of each commit against its first parent (the combined changes of a merge), with one git
 * process.
 */
export const readChanges = async (cwd: string, shas: string[]): Promise<Map<string, FileChange[]>> => {
  const changes = new Map<string, FileChange[]>();
  if (shas.length === 0) return changes;
  const parser = createParser((sha, files) => changes.set(sha, files));
  const args = ['log', '--no-walk=unsorted', '--stdin', '-z', '--diff-merges=first-parent', ...diffOptions];
  await eachField(cwd, [...args, '--format=tformat:%x01%H'], `${shas.join('\n')}\n`, parser.field);
  parser.end();
  return changes;
};

/** Returns the files that differ between two commits. */
export const readDifference = async (cwd: string, from: string, to: string): Promise<FileChange[]> => {
  let found: FileChange[] = [];
  const parser = createParser((_, files) => {
    found = files;
  });
  parser.field(`\u0001${to}`);
  await eachField(cwd, ['diff', '-z', ...diffOptions, from, to], '', parser.field);
  parser.end();
  return found;
};

const diffOptions = ['--raw', '--numstat', '--no-abbrev', '-M', '--no-ext-diff', '--no-textconv'];

type PendingDiff = { kind: 'raw' | 'numstat'; head: string; paths: string[]; wanted: number };

// With -z git writes, per commit: \x01<sha> NUL, then ":<modes> <blobs> <status>" NUL path NUL [path NUL]..., then
// "<added>\t<deleted>\t<path>" NUL, or for a rename "<added>\t<deleted>\t" NUL old NUL new NUL. Paths are read by
// position, since a path may start with any character.
const createParser = (onCommit: (sha: string, files: FileChange[]) => void) => {
  let sha: string | undefined;
  let files = new Map<string, FileChange>();
  let pending: PendingDiff | undefined;

  const end = (): void => {
    if (sha !== undefined) onCommit(sha, [...files.values()]);
    files = new Map();
  };
  const addChange = (entry: PendingDiff): void => {
    pending = undefined;
    if (entry.kind === 'raw') addFile(files, entry);
    else countLines(files, entry.head, entry.paths.at(-1) ?? '');
  };
  const begin = (head: string): void => {
    if (head.startsWith(':')) pending = { kind: 'raw', head, paths: [], wanted: / [RC]\d*$/.test(head) ? 2 : 1 };
    else if (head.endsWith('\t')) pending = { kind: 'numstat', head, paths: [], wanted: 2 };
    else if (head !== '') countLines(files, head, head.split('\t').slice(2).join('\t'));
  };
  const field = (text: string): void => {
    if (pending !== undefined) {
      pending.paths.push(text);
      if (pending.paths.length === pending.wanted) addChange(pending);
    } else if (text.startsWith('\u0001')) {
      end();
      sha = text.slice(1);
    } else {
      begin(text.replace(/^\n/, ''));
    }
  };
  return { field, end };
};

const addFile = (files: Map<string, FileChange>, { head, paths }: PendingDiff): void => {
  const [, , before = '', after = '', letter = 'M'] = head.split(' ');
  const path = paths.at(-1) ?? '';
  const status = statuses[letter.charAt(0)] ?? 'changed';
  const previousPath = paths.length === 2 ? paths[0] : undefined;
  files.set(path, {
    path,
    ...(previousPath === undefined ? {} : { previousPath }),
    status,
    blob: status === 'removed' ? before : after,
    additions: 0,
    deletions: 0,
  });
};

const countLines = (files: Map<string, FileChange>, head: string, path: string): void => {
  const [additions = '0', deletions = '0'] = head.split('\t');
  const file = files.get(path);
  if (file === undefined) return;
  file.additions = additions === '-' ? 0 : Number(additions);
  file.deletions = deletions === '-' ? 0 : Number(deletions);
};

const statuses: Record<string, FileChange['status']> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};
