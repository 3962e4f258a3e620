import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** `date`: overrides the clock of the repository. */
export type Author = { name: string; email: string; date?: string };

export const ada: Author = { name: 'Ada Lovelace', email: 'ada@example.org' };
export const zoe: Author = { name: 'Zoë Ångström', email: '4711+zoe-a@users.noreply.github.com' };
export const bob: Author = { name: 'Bob', email: 'info@example.org' };

/** A git repository in a new temporary folder, with a clock that advances one minute per commit. */
export const createRepository = (folder = 'widgets') => {
  const root = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const path = join(root, folder);
  let minutes = 0;
  const git = (
    args: string[],
    { name, email, date = new Date(Date.UTC(2024, 0, 1, 9, minutes)).toISOString() }: Author = ada,
  ): string => {
    const identity = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
    const env = { PATH: process.env.PATH, ...identity, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, HOME: root };
    return execFileSync('git', args, { cwd: path, env, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim();
  };
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  const commit = async (message: string, files: Record<string, string> = {}, author: Author = ada): Promise<string> => {
    minutes += 1;
    for (const [file, text] of Object.entries(files)) await write(file, text);
    git(['add', '--all']);
    git(['commit', '--quiet', '--allow-empty', '-m', message], author);
    return git(['rev-parse', 'HEAD']);
  };
  const merge = (branch: string, message: string, author: Author = ada): string => {
    minutes += 1;
    git(['merge', '--quiet', '--no-ff', '-m', message, branch], author);
    return git(['rev-parse', 'HEAD']);
  };
  const start = async (): Promise<void> => {
    await mkdir(path);
    git(['init', '--quiet', '--initial-branch=main', '--template=']);
  };
  /** Starts as a copy of another repository, with its clock. */
  const startFrom = async (other: { path: string; minutes: () => number }): Promise<void> => {
    await cp(other.path, path, { recursive: true });
    minutes = other.minutes();
  };
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true });
  return { path, git, write, commit, merge, start, startFrom, minutes: () => minutes, remove };
};

let story: Promise<ReturnType<typeof createRepository>> | undefined;

/**
 * A history with special cases: a merged pull request with a review, a plain merge, a squash, a rename, a binary file,
 * non-ASCII names, a fork, and an open branch.
 */
export const createStory = async (folder?: string) => {
  // Cached per process, since each of its 45 git calls starts a process.
  story ??= writeStory();
  const repository = createRepository(folder);
  await repository.startFrom(await story);
  return repository;
};

const writeStory = async () => {
  const repository = createRepository();
  process.once('exit', () => rmSync(dirname(repository.path), { recursive: true, force: true }));
  const { git, commit, merge } = repository;
  await repository.start();
  await commit('First steps', { 'README.md': '# Widgets\n', 'src/main.ts': 'export const one = 1;\n' });
  git(['checkout', '--quiet', '-b', 'feature/login']);
  await commit('Add login', { 'src/login.ts': 'one\ntwo\nthree\n' }, zoe);
  await commit(
    'Überarbeite die Anmeldung\n\nReviewed-by: Bob <info@example.org>',
    { 'src/login.ts': 'one\ntwo\n' },
    zoe,
  );
  git(['checkout', '--quiet', 'main']);
  await commit('Meanwhile', { 'docs/naïve ☃.md': 'snow\n' });
  merge(
    'feature/login',
    'Merge pull request #7 from origin-owner/feature/login\n\nLet people in\n\nWith a password.',
    bob,
  );
  git(['checkout', '--quiet', '-b', 'tidy']);
  git(['mv', 'src/main.ts', 'src/start.ts']);
  await commit('Move the start', {}, bob);
  git(['checkout', '--quiet', 'main']);
  await commit('Drop a picture in', { 'logo.bin': 'a\0b' });
  merge('tidy', "Merge branch 'tidy'");
  await commit('Faster start (#12)\n\nMeasured.\n\nApproved-by: Zoë Ångström <4711+zoe-a@users.noreply.github.com>', {
    'a.txt': 'a\n',
  });
  git(['branch', '--quiet', '-D', 'feature/login', 'tidy']);
  git(['tag', 'v1.0']);
  git(['checkout', '--quiet', '-b', 'wip/search']);
  await commit('Search, first try', { 'src/search.ts': 'find\n' }, zoe);
  git(['checkout', '--quiet', 'main']);
  return repository;
};
