import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type FileChange, readChanges, readDifference } from './changes.ts';
import { git } from './command.ts';
import { history, mergeBase } from './graph.ts';
import { type Commit, readCommits, readParents } from './log.ts';
import type { Repository } from './model.ts';
import { commitsWithMissingFiles, isPartialClone, MissingObjects } from './partial.ts';
import { emptyPlanted, withPlanted } from './planted.ts';
import { inferPullRequests } from './pull-requests.ts';
import { branchNames, compareRefs, findDefaultBranch, type RefChange, readRefs } from './refs.ts';

/** Opens the repository at `path` (a working tree or a bare repository). Throws if none exists. */
export const openRepository = async (path: string): Promise<Repository> => {
  const text = async (...args: string[]): Promise<string> => (await git(path, args)).toString().trim();
  const bare = (await text('rev-parse', '--is-bare-repository')) === 'true';
  const gitDirectory = resolve(path, await text('rev-parse', '--git-common-dir'));
  const top = bare ? gitDirectory : await text('rev-parse', '--show-toplevel');
  const repository: Repository = {
    path: top,
    gitDirectory,
    bare,
    folder: basename(top).replace(/\.git$/, ''),
    remoteOwner: ownerOf(await text('config', '--get', 'remote.origin.url').catch(() => '')),
    defaultBranch: 'main',
    startedAt: Number.POSITIVE_INFINITY,
    commits: new Map(),
    refs: new Map(),
    pullRequests: [],
    changes: new Map(),
    isPartial: await isPartialClone(path),
    unreadable: new Set(),
    histories: new Map(),
    planted: emptyPlanted(),
  };
  await refreshRepository(repository);
  return repository;
};

/** Reads new data and returns the updated refs. Known commits are not read again. */
export const refreshRepository = async (repository: Repository): Promise<RefChange[]> => {
  const { path, bare, commits } = repository;
  const refs = await readRefs(path);
  const moved = compareRefs(repository.refs, refs);
  if (moved.length === 0) return moved;
  const tips = [...new Set(refs.values())].filter((sha) => !commits.has(sha));
  for (const commit of await readCommits(path, tips, [...new Set(repository.refs.values())])) {
    commits.set(commit.sha, commit);
    repository.startedAt = Math.min(repository.startedAt, commit.committer.at);
  }
  await nameMissingParents(repository);
  const defaultBranch = await findDefaultBranch(path, bare, refs);
  repository.histories.clear();
  Object.assign(repository, { refs, defaultBranch });
  findPullRequests(repository);
  return moved;
};

/** The first commits of a shallow clone have parents that git omits but code hosts report. */
const nameMissingParents = async ({ path, gitDirectory, commits }: Repository): Promise<void> => {
  const shallow = await readFile(join(gitDirectory, 'shallow'), 'utf8').catch(() => '');
  for (const sha of shallow.split('\n')) {
    const commit = commits.get(sha);
    if (commit?.parents.length === 0) commit.missingParents ??= await readParents(path, sha);
  }
};

/** Infers the pull requests and applies the planted data. */
export const findPullRequests = (repository: Repository): void => {
  const { commits, refs, defaultBranch, pullRequests: known, planted } = repository;
  repository.pullRequests = withPlanted(inferPullRequests({ commits, refs, defaultBranch, known }), planted);
};

/** Reads unreachable commits, such as those of a squashed and deleted branch. */
export const readUnreachableCommits = async ({ path, commits, refs }: Repository, shas: string[]): Promise<void> => {
  const missing = shas.filter((sha) => !commits.has(sha));
  for (const commit of await readCommits(path, missing, [...new Set(refs.values())])) commits.set(commit.sha, commit);
};

/** Returns the commit of a SHA, an unambiguous short SHA, a branch, a tag, a ref or HEAD. */
export const resolveCommit = (repository: Repository, name: string): Commit | undefined => {
  const { commits, refs, defaultBranch } = repository;
  const candidates = [
    `refs/heads/${name === 'HEAD' ? defaultBranch : name}`,
    `refs/tags/${name}`,
    `refs/${name}`,
    name,
  ];
  const ref = candidates.map((candidate) => refs.get(candidate)).find((sha) => sha !== undefined);
  const exact = commits.get(ref ?? name);
  if (exact !== undefined || !/^[0-9a-f]{7,39}$/.test(name)) return exact;
  const matches = [...commits.keys()].filter((sha) => sha.startsWith(name));
  return matches.length === 1 ? commits.get(matches[0] ?? '') : undefined;
};

/** The tip of the default branch; undefined for an empty repository. */
export const headOf = (repository: Repository): Commit | undefined => resolveCommit(repository, 'HEAD');

export const branchesOf = (repository: Repository): { name: string; sha: string }[] =>
  branchNames(repository.refs).map((name) => ({ name, sha: repository.refs.get(`refs/heads/${name}`) ?? '' }));

/** All commits reachable from a commit, newest first; cached until a ref is updated. */
export const historyOf = (repository: Repository, sha: string): Commit[] => {
  const found = repository.histories.get(sha) ?? history(repository.commits, sha);
  repository.histories.set(sha, found);
  return found;
};

/**
 * Returns the changed files of a commit. The first call reads all commits, later calls only new ones. Throws
 * MissingObjects if a partial clone lacks them.
 */
export const changesOf = async (repository: Repository, sha: string): Promise<FileChange[]> => {
  for (;;) {
    if (repository.unreadable.has(sha)) throw new MissingObjects(`commit ${sha}`);
    const known = repository.changes.get(sha);
    if (known !== undefined || !repository.commits.has(sha)) return known ?? [];
    const loading = loads.get(repository) ?? loadChanges(repository);
    loads.set(repository, loading);
    await loading;
  }
};

/** The same, or undefined if a partial clone lacks them. */
export const unlessMissing = (files: Promise<FileChange[]>): Promise<FileChange[] | undefined> =>
  files.catch((error: unknown) => {
    if (error instanceof MissingObjects) return undefined;
    throw error;
  });

/**
 * Returns the files that differ between the merge base of two commits and the second (`git diff base...head`). Throws
 * MissingObjects if a partial clone lacks them.
 */
export const differenceOf = async (repository: Repository, base: string, head: string): Promise<FileChange[]> => {
  const from = mergeBase(repository.commits, base, head);
  if (from === undefined) return [];
  const key = `${from.sha}...${head}`;
  const known = repository.changes.get(key);
  const files =
    known ??
    (await readDifference(repository.path, from.sha, head).catch((error: unknown) => {
      throw repository.isPartial ? new MissingObjects(`${from.sha}...${head}`) : error;
    }));
  repository.changes.set(key, files);
  return files;
};

const loads = new WeakMap<Repository, Promise<void>>();

const loadChanges = async (repository: Repository): Promise<void> => {
  const { path, commits, changes, isPartial, unreadable } = repository;
  const unread = [...commits.keys()].filter((sha) => !changes.has(sha) && !unreadable.has(sha));
  try {
    if (isPartial) for (const sha of await commitsWithMissingFiles(path, unread)) unreadable.add(sha);
    const readable = unread.filter((sha) => !unreadable.has(sha));
    const found = await readChanges(path, readable);
    for (const sha of readable) changes.set(sha, found.get(sha) ?? []);
  } finally {
    loads.delete(repository);
  }
};

const ownerOf = (remote: string): string | undefined =>
  /^(?:[a-z+]+:\/\/[^/]+\/|[^/@]+@[^/:]+:)(?:.*\/)?([^/]+)\/[^/]+?\/?$/.exec(remote)?.[1];
