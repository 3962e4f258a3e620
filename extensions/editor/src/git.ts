import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { redactRemote } from '@sightline/telemetry/redact.ts';
import { type Disposable, type Event, extensions, type Uri } from 'vscode';

/** The used part of VS Code's git extension (its `api/git.d.ts`, version 1). */
export interface GitRepository {
  rootUri: Uri;
  state: {
    HEAD: { name?: string; commit?: string } | undefined;
    remotes: { name: string; fetchUrl?: string; pushUrl?: string }[];
    onDidChange: Event<void>;
  };
  diffBetween: (ref1: string, ref2: string) => Promise<unknown[]>;
  blame: (path: string) => Promise<string>;
}

export interface Git {
  repositories: GitRepository[];
  getRepository: (uri: Uri) => GitRepository | null;
  onDidOpenRepository: Event<GitRepository>;
  onDidCloseRepository: Event<GitRepository>;
}

/** Undefined if git is disabled in this editor. */
export async function gitOf(): Promise<Git | undefined> {
  const extension = extensions.getExtension<{ enabled: boolean; getAPI: (version: 1) => Git }>('vscode.git');
  const exported = await extension?.activate();
  return exported?.enabled ? exported.getAPI(1) : undefined;
}

/** Host and path of the push remote, `origin` first; undefined without a remote on another machine. */
export function remoteOfRepository({ state }: GitRepository): string | undefined {
  const first = (name: string) => (name === 'origin' ? 0 : name === 'upstream' ? 1 : 2);
  return [...state.remotes]
    .sort((one, other) => first(one.name) - first(other.name))
    .map(({ fetchUrl, pushUrl }) => redactRemote(fetchUrl ?? pushUrl ?? ''))
    .find((remote) => remote !== undefined);
}

/** The path of a file in its repository, with slashes; undefined for a file outside of it. */
export function pathInside(repository: GitRepository, uri: Uri): string | undefined {
  const path = relative(repository.rootUri.fsPath, uri.fsPath);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? undefined : path.replaceAll('\\', '/');
}

/** Path of the reflog of HEAD. In a worktree or submodule, `.git` is a file with the path of the git directory. */
export async function headLogOf(repository: GitRepository): Promise<string | undefined> {
  const root = repository.rootUri.fsPath;
  const dotGit = join(root, '.git');
  try {
    if ((await stat(dotGit)).isDirectory()) return join(dotGit, 'logs', 'HEAD');
    const [, folder] = /^gitdir: (.+)$/m.exec(await readFile(dotGit, 'utf8')) ?? [];
    return folder === undefined ? undefined : join(resolve(root, folder.trim()), 'logs', 'HEAD');
  } catch {
    return undefined;
  }
}

/**
 * Calls `opened` for each current and future repository. The returned object is disposed when the repository is closed.
 */
export function eachRepository(git: Git, opened: (repository: GitRepository) => Disposable): Disposable {
  const watched = new Map<GitRepository, Disposable>();
  const open = (repository: GitRepository) => {
    if (!watched.has(repository)) watched.set(repository, opened(repository));
  };
  const close = (repository: GitRepository) => {
    watched.get(repository)?.dispose();
    watched.delete(repository);
  };
  git.repositories.forEach(open);
  const both = [git.onDidOpenRepository(open), git.onDidCloseRepository(close)];
  return {
    dispose: () => {
      for (const each of [...both, ...watched.values()]) each.dispose();
    },
  };
}
