import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPaused, type Pause } from '@sightline/telemetry/pause.ts';
import { parsed, replaceText, textOf } from './shared-file.ts';

export interface PauseFile {
  /** Null while recording is on. */
  read: () => Promise<Pause | null>;
  set: (pause: Pause | null) => Promise<void>;
}

/** A pause holds for all windows, and through restarts. */
export function createPauseFile(folder: string, clock: () => number = Date.now): PauseFile {
  const path = join(folder, 'pause.json');
  return {
    read: async () => {
      const kept = parsed(await textOf(path));
      if (typeof kept !== 'object' || kept === null || !('until' in kept)) return null;
      const pause = { until: typeof kept.until === 'number' ? kept.until : null };
      return isPaused(pause, clock()) ? pause : null;
    },
    set: (pause) => (pause ? replaceText(path, JSON.stringify(pause)) : rm(path, { force: true })),
  };
}
