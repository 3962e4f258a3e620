import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './model.ts';

/**
 * Calls `onChange` soon after refs may have changed: on changes of their files, and every `pollMs` milliseconds, since
 * some file systems report no changes. Returns a function that stops it.
 */
export const watchRefs = ({ gitDirectory }: Repository, pollMs: number, onChange: () => void): (() => void) => {
  let soon: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      onChange();
    }, settleMs);
  };
  const watchers = [
    follow(gitDirectory, false, (file) => refFiles.has(file) && schedule()),
    follow(join(gitDirectory, 'refs'), true, schedule),
  ];
  const poll = setInterval(onChange, pollMs);
  return () => {
    clearInterval(poll);
    clearTimeout(soon);
    for (const watcher of watchers) watcher?.close();
  };
};

const settleMs = 30; // one git command updates several refs
const refFiles = new Set(['HEAD', 'packed-refs']);

const follow = (path: string, recursive: boolean, onFile: (file: string) => void): FSWatcher | undefined => {
  try {
    const watcher = watch(path, { recursive }, (_, file) => onFile(file ?? ''));
    watcher.on('error', () => watcher.close()); // polling continues
    return watcher;
  } catch {
    return undefined;
  }
};
