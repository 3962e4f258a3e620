/** A commit on the first-parent line of a clone, which is what reached its branch. */
export interface CloneCommit {
  readonly sha: string;
  /** The time of its committer, which code hosts set when they merge: ISO 8601. */
  readonly at: string;
  readonly title: string;
}

/** The commits of a clone that its current branch contains. */
export interface CloneCommits {
  readonly all: ReadonlySet<string>;
  /** Newest first. */
  readonly firstParents: readonly CloneCommit[];
}

/** The format of `git log` that `parseCloneCommits` reads. */
export const cloneLogFormat = '%H%x09%P%x09%ct%x09%s';

/** Parses the output of `git log --format=…` with `cloneLogFormat`, newest first. Throws for any other text. */
export function parseCloneCommits(text: string): CloneCommits {
  const commits = new Map<string, { parent: string | undefined; commit: CloneCommit }>();
  let head: string | undefined;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, sha = '', parents = '', seconds = '', title = ''] = commitLine.exec(line.replace(/\r$/, '')) ?? [];
    if (sha === '') throw new Error('is not a list of commits in the required format');
    head ??= sha;
    const at = new Date(Number(seconds) * 1000).toISOString();
    commits.set(sha, { parent: parents.split(' ')[0] || undefined, commit: { sha, at, title } });
  }
  if (head === undefined) throw new Error('contains no commits');
  const firstParents: CloneCommit[] = [];
  for (let sha: string | undefined = head; sha !== undefined; sha = commits.get(sha)?.parent) {
    const found = commits.get(sha);
    if (found) firstParents.push(found.commit);
  }
  return { all: new Set(commits.keys()), firstParents };
}

const commitLine = /^([0-9a-f]{40,64})\t([0-9a-f ]*)\t(-?\d{1,11})\t(.*)$/;

/** Decodes a text file: UTF-8, or UTF-16 with a byte order mark, which shells of Windows write. */
export const decodeTextFile = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
