import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './model.ts';

/**
 * Calls `onChange` soon after refs may have moved: at a change of the files that hold them, and every `pollMs`
 * milliseconds, since some file systems report nothing. Returns how to stop.
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

const settleMs = 30; // one git command moves several refs
const refFiles = new Set(['HEAD', 'packed-refs']);

const follow = (path: string, recursive: boolean, onFile: (file: string) => void): FSWatcher | undefined => {
  try {
    const watcher = watch(path, { recursive }, (_, file) => onFile(file ?? ''));
    watcher.on('error', () => watcher.close()); // the poll goes on
    return watcher;
  } catch {
    return undefined;
  }
};
