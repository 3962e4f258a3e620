import { eachField, git } from './command.ts';

/** `date` in git's format (ISO 8601 with offset), `at` the same time in epoch milliseconds. */
export type Signature = { name: string; email: string; date: string; at: number };

export type Commit = {
  sha: string;
  parents: string[];
  /** Parents that are absent from a shallow clone. */
  missingParents?: string[];
  tree: string;
  author: Signature;
  committer: Signature;
  message: string;
};

/**
 * Returns all commits reachable from `tips` but not from `known`, with one git process, children before parents.
 * Ignores tips that git has garbage-collected.
 */
export const readCommits = async (cwd: string, tips: string[], known: string[] = []): Promise<Commit[]> => {
  const commits: Commit[] = [];
  let record: string[] = [];
  const revisions = [...tips, ...known.map((sha) => `^${sha}`)].join('\n');
  if (tips.length === 0) return commits;
  await eachField(
    cwd,
    ['log', '--ignore-missing', '--stdin', '-z', `--format=tformat:${format}`],
    `${revisions}\n`,
    (field) => {
      record.push(field);
      if (record.length < fieldCount) return;
      commits.push(toCommit(record));
      record = [];
    },
  );
  return commits;
};

/** The parents that a commit names, including absent ones. */
export const readParents = async (cwd: string, sha: string): Promise<string[]> => {
  const [head = ''] = (await git(cwd, ['cat-file', 'commit', sha])).toString().split('\n\n', 1);
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
};

/** The parents of a commit as shown by a code host. */
export const parentsOf = ({ parents, missingParents = [] }: Commit): string[] => [...parents, ...missingParents];

const placeholders = ['%H', '%P', '%T', '%an', '%ae', '%aI', '%at', '%cn', '%ce', '%cI', '%ct', '%B'];
const format = placeholders.join('%x00');
const fieldCount = placeholders.length;

const toCommit = (record: string[]): Commit => {
  const at = (index: number): string => record[index] ?? '';
  const signature = (first: number): Signature => ({
    name: at(first),
    email: at(first + 1),
    date: at(first + 2),
    at: Number(at(first + 3)) * 1000,
  });
  return {
    sha: at(0),
    parents: at(1) === '' ? [] : at(1).split(' '),
    tree: at(2),
    author: signature(3),
    committer: signature(7),
    message: at(11).trimEnd(),
  };
};
