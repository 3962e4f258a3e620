import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { git } from './command.ts';
import type { Repository } from './model.ts';
import type { Person, PullRequest } from './pull-request.ts';

export type Method = 'merge' | 'squash' | 'rebase';

/**
 * Merges a branch into the default branch with git. `files`: content that the commit has in addition. Returns the merged
 * commits, oldest first. Throws on a conflict.
 */
export const mergeBranch = (
  repository: Repository,
  {
    pull,
    method,
    by,
    at,
    files = {},
  }: { pull: PullRequest; method: Method; by: Person; at: number } & {
    files?: Record<string, string> | undefined;
  },
): Promise<string[]> =>
  onBranch(repository, {
    branch: repository.defaultBranch,
    by,
    at,
    work: async (run, folder) => {
      const { number, title, headSha, headRef } = pull;
      const owner = pull.headOwner ?? repository.remoteOwner ?? 'sandbox';
      if (method === 'merge') {
        const message = `Merge pull request #${number} from ${owner}/${headRef}\n\n${title}`;
        await run(['merge', '--quiet', '--no-ff', '--no-commit', headSha]);
        await writeFiles(folder, files);
        await run(['add', '--all']);
        await run(['commit', '--quiet', '-m', message]);
      } else if (method === 'squash') {
        await run(['merge', '--quiet', '--squash', headSha]);
        await writeFiles(folder, files);
        await run(['add', '--all']);
        await run(['commit', '--quiet', '--allow-empty', '-m', `${title} (#${number})`], pull.author);
      } else {
        await run(['cherry-pick', '--allow-empty', '--keep-redundant-commits', ...pull.commits]);
      }
    },
  });

/** Commits files directly to a branch; with `forced`, replacing its last commit. Returns the new commits. */
export const commitTo = (
  repository: Repository,
  {
    branch,
    change,
    by,
    at,
  }: {
    branch: string;
    change: { files: Record<string, string>; message: string; forced: boolean };
    by: Person;
    at: number;
  },
): Promise<string[]> =>
  onBranch(repository, {
    branch,
    by,
    at,
    work: async (run, folder) => {
      if (change.forced) await run(['reset', '--quiet', '--hard', 'HEAD^']);
      await writeFiles(folder, change.files);
      await run(['add', '--all']);
      await run(['commit', '--quiet', '--allow-empty', '-m', change.message]);
    },
  });

const writeFiles = async (folder: string, files: Record<string, string>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    const file = resolve(folder, path);
    if (!file.startsWith(folder + sep)) throw new Error(`${path} is outside the repository.`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
};

type RunGit = (args: string[], author?: Person) => Promise<Buffer>;

/** Works in a separate worktree, then updates the branch. Does not modify a checked-out branch. */
const onBranch = async (
  { path }: Repository,
  {
    branch,
    by,
    at,
    work,
  }: { branch: string; by: Person; at: number; work: (run: RunGit, folder: string) => Promise<void> },
): Promise<string[]> => {
  const ref = `refs/heads/${branch}`;
  const before = await shaOf(path, ref);
  const heads = (await git(path, ['worktree', 'list', '--porcelain'])).toString();
  if (heads.includes(`\nbranch ${ref}\n`)) throw new Error(`${branch} is checked out at ${path}.`);
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-merge-'));
  const date = new Date(at).toISOString();
  try {
    await git(path, ['worktree', 'add', '--quiet', '--detach', folder, before]);
    const run: RunGit = (args, author = by) =>
      git(folder, args, '', {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: by.name,
        GIT_COMMITTER_EMAIL: by.email,
        GIT_COMMITTER_DATE: date,
      });
    await work(run, folder);
    const after = await shaOf(folder, 'HEAD');
    await git(path, ['update-ref', ref, after, before]);
    const made = (await git(path, ['rev-list', '--reverse', '--first-parent', after, `^${before}`])).toString();
    return made.split('\n').filter((sha) => sha !== '');
  } finally {
    await git(path, ['worktree', 'remove', '--force', folder]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
};

const shaOf = async (path: string, name: string): Promise<string> =>
  (await git(path, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])).toString().trim();
