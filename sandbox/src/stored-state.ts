import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The content of a file of `storeState`; undefined if there is none. */
export const readStored = <State>(file: string | undefined): State | undefined =>
  file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : undefined;

/** Replaces the file at once, so that an interrupted process leaves the previous state. */
export const storeState = (file: string, state: unknown): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/**
 * State that persists in `file` across restarts; without a file only in memory. Call `save` after a change. A file of an
 * earlier release may lack fields, which are then those of `fresh`.
 */
export const createStoredState = <State extends object>(
  file: string | undefined,
  fresh: State,
): { kept: State; save: () => void } => {
  const kept: State = { ...fresh, ...readStored<Partial<State>>(file) };
  return {
    kept,
    save: () => {
      if (file !== undefined) storeState(file, kept);
    },
  };
};
