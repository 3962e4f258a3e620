import { setTimeout as pause } from 'node:timers/promises';
import type { RunningProgram } from '../programs.ts';

/** A program under a service manager: it is restarted a second after it ended by itself. */
export interface SupervisedProgram {
  pid: () => number;
  /** The number of restarts. */
  restarts: () => number;
  start: () => Promise<void>;
  /** Stops it permanently. */
  stop: (signal: NodeJS.Signals) => Promise<void>;
}

export function superviseProgram(
  name: string,
  begin: () => Promise<RunningProgram>,
  log: (line: string) => void,
): SupervisedProgram {
  let current: RunningProgram | undefined;
  let isWanted = false;
  let restarts = 0;
  const start = async (): Promise<void> => {
    isWanted = true;
    for (;;) {
      try {
        current = await begin();
        break;
      } catch (error) {
        if (!isWanted) return;
        log(`${name} did not start: ${lastLine((error as Error).message)}`);
        await pause(1_000);
      }
    }
    void watch(current);
  };
  const watch = async (program: RunningProgram): Promise<void> => {
    await program.ended;
    if (!isWanted || program !== current) return;
    restarts += 1;
    log(`${name} ended by itself: ${lastLine(program.output())}`);
    await pause(1_000);
    if (isWanted && program === current) await start();
  };
  return {
    pid: () => current?.pid ?? 0,
    restarts: () => restarts,
    start,
    async stop(signal) {
      isWanted = false;
      await current?.end(signal);
    },
  };
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
