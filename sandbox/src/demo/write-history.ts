import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../git/command.ts';
import type { DemoCommit, DemoHistory } from './history.ts';
import { demoOwners } from './repositories.ts';

type Files = ReadonlyMap<string, readonly string[]>;

/**
 * Writes the commits of a history to a bare repository at `path`, which is created if it does not exist; commits up to
 * `written` exist there. Moves the default branch to `tip`. Returns the SHA of every commit by number.
 */
export const writeHistory = async (
  path: string,
  { repository, commits, changes }: DemoHistory,
  { tip, written }: { tip: number; written: ReadonlyMap<number, string> },
): Promise<Map<number, string>> => {
  const { name, host } = repository;
  if (written.size === 0) {
    await mkdir(path, { recursive: true });
    await git(path, ['init', '--quiet', '--bare', '--initial-branch=main']);
    await git(path, ['remote', 'add', 'origin', `https://host.example/${demoOwners[host]}/${name}.git`]);
  }
  const marks = join(path, 'marks');
  const lines: string[] = [];
  const trees = new Map<number, Files>();
  for (const commit of commits) {
    const files = filesOf(commit, trees.get(commit.parents[0] ?? 0) ?? new Map());
    trees.set(commit.mark, files);
    if (!written.has(commit.mark)) lines.push(textOf(commit, files, (mark) => written.get(mark) ?? `:${mark}`));
  }
  const refs = changes.flatMap(({ change, outcome }) => {
    const last = change.commits.at(-1) ?? 0;
    if (written.has(last)) return [];
    if (change.kind === 'direct') return [`reset refs/demo/pushes/${last}\nfrom :${last}\n`];
    const head = `reset refs/pull/${change.number}/head\nfrom :${last}\n`;
    return outcome === 'open' ? [head, `reset refs/heads/${change.branch}\nfrom :${last}\n`] : [head];
  });
  const main = written.size === 0 ? [`reset refs/heads/main\nfrom :${tip}\n`] : [];
  const stream = [...lines, ...refs, ...main, 'done\n'].join('\n');
  await git(path, ['fast-import', '--quiet', '--done', '--force', `--export-marks=${marks}`], stream);
  const found = (await readFile(marks, 'utf8')).trim().split('\n');
  await rm(marks);
  const shaOf = found.map((line): [number, string] => [
    Number(line.slice(1, line.indexOf(' '))),
    line.slice(line.indexOf(' ') + 1),
  ]);
  return new Map([...written, ...shaOf]);
};

const filesOf = ({ edits }: DemoCommit, before: Files): Files => {
  const files = new Map(before);
  for (const { path, change } of edits) files.set(path, change(files.get(path) ?? []));
  return files;
};

const textOf = (
  { mark, parents, author, committer, message, edits, at }: DemoCommit,
  files: Files,
  nameOf: (mark: number) => string,
): string => {
  const when = `${Math.floor(at / 1000)} +0000`;
  const [from, ...merged] = parents;
  const paths = [...new Set(edits.map(({ path }) => path))];
  return [
    // Refs outside of branches, so that the commits do not appear as activity.
    'commit refs/demo/work',
    `mark :${mark}`,
    `author ${author.name} <${author.email}> ${when}`,
    `committer ${committer.name} <${committer.email}> ${when}`,
    data(message),
    ...(from === undefined ? [] : [`from ${nameOf(from)}`]),
    ...merged.map((parent) => `merge ${nameOf(parent)}`),
    ...paths.flatMap((path) => [`M 100644 inline ${path}`, data(`${(files.get(path) ?? []).join('\n')}\n`)]),
    '',
  ].join('\n');
};

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;
