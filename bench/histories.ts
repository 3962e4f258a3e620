import { execFile, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface HistorySize {
  commits: number;
  pullRequests: number;
}

/** Totals of the default branch, as git reports them. */
export interface HistoryTotals {
  commits: number;
  pullRequests: number;
  changedFiles: number;
}

const git = promisify(execFile);
const noRef = '0'.repeat(40);
const people = 40;

/** Returns a generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Creates a bare repository, or adds commits to one. They change one to four files, rename and delete some, and merge
 * pull requests.
 */
export async function writeHistory(path: string, size: HistorySize, random: () => number): Promise<void> {
  const tip = await tipOf(path);
  if (tip === undefined) {
    await mkdir(path, { recursive: true });
    await git('git', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
  }
  const stream = spawn('git', ['-C', path, 'fast-import', '--quiet'], { stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => stream.once('exit', resolve));
  const write = async (text: string) => {
    if (!stream.stdin.write(text)) await new Promise((resolve) => stream.stdin.once('drain', resolve));
  };
  const before = tip === undefined ? 0 : (await historyTotalsOf(path)).commits;
  for await (const text of commandsOf(size, { random, tip, before })) await write(text);
  stream.stdin.end();
  const code = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/** Returns the numbers of commits, merges on the default branch, and changed files, as git counts them. */
export async function historyTotalsOf(path: string): Promise<HistoryTotals> {
  const read = async (...args: string[]) =>
    (await git('git', ['-C', path, ...args], { maxBuffer: 2 ** 30, encoding: 'utf8' })).stdout.trim();
  const changes = await read(
    ...['-c', 'diff.renameLimit=1000', 'log', '--format=', '--name-status', '-M', '--diff-merges=first-parent', 'main'],
  );
  return {
    commits: Number(await read('rev-list', '--count', 'main')),
    pullRequests: Number(await read('rev-list', '--count', '--merges', '--first-parent', 'main')),
    changedFiles: changes.split('\n').filter((line) => line !== '').length,
  };
}

const tipOf = (path: string): Promise<string | undefined> =>
  git('git', ['-C', path, 'rev-parse', '--verify', '--quiet', 'refs/heads/main']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

interface Start {
  random: () => number;
  tip: string | undefined;
  before: number;
}

/** Yields the commands of `git fast-import`, one commit at a time. */
function* commandsOf({ commits, pullRequests }: HistorySize, { random, tip, before }: Start): Generator<string> {
  const files: string[] = [];
  let main = tip;
  let made = 0;
  const commit = (branch: string, message: string, parents: (string | undefined)[], changes: string) => {
    made += 1;
    const person = Math.floor(random() * people);
    const who = `Person ${person} <person${person}@example.org> ${1_600_000_000 + (before + made) * 600} +0000`;
    const [from, merged] = parents;
    return [
      `commit refs/heads/${branch}\nmark :${made}\nauthor ${who}\ncommitter ${who}\n`,
      `data ${Buffer.byteLength(message)}\n${message}\n`,
      from === undefined ? '' : `from ${from}\n`,
      merged === undefined ? '' : `merge ${merged}\n`,
      `${changes}\n`,
    ].join('');
  };
  const content = () => {
    const text = Array.from({ length: 3 }, (_, line) => `line ${line} of ${Math.floor(random() * 1e9)}\n`).join('');
    return `data ${text.length}\n${text}`;
  };
  const freshPath = () =>
    `src/area${Math.floor(random() * 20)}/module${Math.floor(random() * 10)}/file${before + made}-${files.length}.ts`;
  const change = () => {
    const dice = random();
    const position = Math.floor(random() * files.length);
    const known = files[position];
    if (known !== undefined && dice < 0.02) {
      files.splice(position, 1);
      return `D ${known}\n`;
    }
    if (known !== undefined && dice < 0.04) {
      const renamed = freshPath();
      files[position] = renamed;
      return `R ${known} ${renamed}\n`;
    }
    if (known !== undefined && dice < 0.75) return `M 100644 inline ${known}\n${content()}\n`;
    const added = freshPath();
    files.push(added);
    return `M 100644 inline ${added}\n${content()}\n`;
  };
  // A path that one commit names twice counts as one change.
  const changes = () => [...new Set(Array.from({ length: 1 + Math.floor(random() * 4) }, change))].join('');
  const every = pullRequests === 0 ? Number.POSITIVE_INFINITY : Math.max(3, Math.floor(commits / pullRequests));
  for (let merged = 0; made < commits; ) {
    if (made % every < every - 2 || merged === pullRequests || commits - made < 2 || main === undefined) {
      yield commit('main', `Change ${before + made}`, [main], changes());
      main = `:${made}`;
      continue;
    }
    merged += 1;
    const number = before + merged;
    const topic = `topic-${number}`;
    const text = changes();
    yield commit(topic, `Topic ${number}`, [main], text);
    const head = `:${made}`;
    yield commit('main', `Merge pull request #${number} from sandbox/${topic}\n\nTopic ${number}`, [main, head], text);
    main = `:${made}`;
    yield `reset refs/heads/${topic}\nfrom ${noRef}\n\n`;
  }
}

/** Returns paths of repositories in a folder and their sizes: most are small, and a few are large. */
export const mixedRepositorySizes = (folder: string, count: number, random: () => number): [string, HistorySize][] =>
  Array.from({ length: count }, (_, index) => {
    const dice = random();
    const [min, max] = dice < 0.6 ? [10, 60] : dice < 0.9 ? [60, 300] : [300, 1_500];
    const commits = min + Math.floor(random() * (max - min));
    return [join(folder, `repository-${index}`), { commits, pullRequests: Math.floor(commits / 12) }];
  });
