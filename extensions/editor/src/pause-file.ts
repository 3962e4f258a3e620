import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPaused, type Pause } from '@sightline/telemetry/pause.ts';
import { parseJson, readTextFile, replaceText } from './shared-file.ts';

export interface PauseFile {
  /** Null while recording. */
  read: () => Promise<Pause | null>;
  set: (pause: Pause | null) => Promise<void>;
}

/** A pause applies to all windows and persists across restarts. */
export function createPauseFile(folder: string, clock: () => number = Date.now): PauseFile {
  const path = join(folder, 'pause.json');
  return {
    read: async () => {
      const stored = parseJson(await readTextFile(path));
      if (typeof stored !== 'object' || stored === null || !('until' in stored)) return null;
      const pause = { until: typeof stored.until === 'number' ? stored.until : null };
      return isPaused(pause, clock()) ? pause : null;
    },
    set: (pause) => (pause ? replaceText(path, JSON.stringify(pause)) : rm(path, { force: true })),
  };
}
