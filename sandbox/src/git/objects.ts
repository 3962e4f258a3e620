import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { startGit } from './command.ts';

/** An object with its content as stored by git. The content of a tree is binary, see `entriesOf`. */
export type GitObject = { sha: string; type: string; content: Buffer };

/** An entry of a tree; `mode` in git's format, six digits. */
export type TreeEntry = { mode: string; type: 'blob' | 'tree' | 'commit'; sha: string; path: string };

/**
 * Returns the object of a name (a SHA, a ref, `commit:path`, `sha^{tree}`); undefined without one. One git process
 * serves all requests for a repository and exits after a second of inactivity, since starting it is slower than a
 * request.
 */
export const findObject = async (cwd: string, name: string): Promise<GitObject | undefined> => {
  // A request is one line.
  if (name.includes('\n')) return undefined;
  return (readers.get(cwd) ?? openReader(cwd))(name);
};

type ReadObject = (name: string) => Promise<GitObject | undefined>;
type ObjectRequest = { resolve: (found: GitObject | undefined) => void; reject: (error: Error) => void };

const readers = new Map<string, ReadObject>();
const idleMs = 1000;

const openReader = (cwd: string): ReadObject => {
  const reader = createReader(cwd, () => {
    if (readers.get(cwd) === reader) readers.delete(cwd);
  });
  readers.set(cwd, reader);
  return reader;
};

const createReader = (cwd: string, onEnd: () => void): ReadObject => {
  const child: ChildProcessWithoutNullStreams = startGit(cwd, ['cat-file', '--batch']);
  const waiting: ObjectRequest[] = [];
  let idle: NodeJS.Timeout | undefined;
  let [chunks, size, needed]: [Buffer[], number, number] = [[], 0, 1];
  const end = (): void => {
    onEnd();
    child.stdin.end();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < needed) return;
    let unread = Buffer.concat(chunks);
    let answer = firstIn(unread);
    for (; 'length' in answer; answer = firstIn(unread)) {
      unread = unread.subarray(answer.length);
      waiting.shift()?.resolve(answer.found);
    }
    [chunks, size, needed] = [[unread], unread.length, answer.needed];
    if (waiting.length === 0) idle = setTimeout(end, idleMs).unref();
  });
  child.stdin.on('error', () => undefined); // git may have exited
  const fail = (): void => {
    onEnd();
    for (const { reject } of waiting.splice(0)) reject(new Error(`git cat-file ended in ${cwd}`));
  };
  child.on('error', fail);
  child.on('close', fail);
  return (name) =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      waiting.push({ resolve, reject });
      child.stdin.write(`${name}\n`);
    });
};

type CatFileAnswer = { found: GitObject | undefined; length: number };

// `<sha> <type> <size>` LF, the content, LF; or one line that ends with a word such as `missing`.
const firstIn = (bytes: Buffer): CatFileAnswer | { needed: number } => {
  const at = bytes.indexOf('\n');
  if (at < 0) return { needed: bytes.length + 1 };
  const [, sha, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(bytes.toString('utf8', 0, at)) ?? [];
  if (sha === undefined || type === undefined) return { found: undefined, length: at + 1 };
  const end = at + 1 + Number(size);
  if (bytes.length <= end) return { needed: end + 1 };
  return { found: { sha, type, content: Buffer.from(bytes.subarray(at + 1, end)) }, length: end + 1 };
};

/** The entries of a tree, each `<mode> <path>` NUL and the bytes of its SHA. */
export const entriesOf = ({ sha, content }: GitObject): TreeEntry[] => {
  const width = sha.length / 2;
  const entries: TreeEntry[] = [];
  for (let from = 0; from < content.length; ) {
    const end = content.indexOf(0, from);
    const text = content.toString('utf8', from, end);
    const mode = text.slice(0, text.indexOf(' ')).padStart(6, '0');
    from = end + 1 + width;
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    entries.push({ mode, type, sha: content.toString('hex', end + 1, from), path: text.slice(text.indexOf(' ') + 1) });
  }
  return entries;
};
