import { realSchedule, type Schedule } from './clock.ts';

/** How often an extension without a socket says that it is there, as the contract has it. */
export const heartbeatEveryMs = 4 * 60_000;

export interface Heartbeat {
  /** Begins, with one at once. */
  start(): void;
  /** One now, where the person is there. */
  beat(): Promise<void>;
  /** Ends; says that the window closes unless told otherwise. */
  stop(how?: { leaving: boolean }): Promise<void>;
}

export interface HeartbeatOptions {
  /** Must not throw; a heartbeat that got lost is followed by the next. */
  send: (leaving: boolean) => Promise<unknown>;
  every?: number;
  schedule?: Schedule;
  /** Whether the person is there: no heartbeat for a machine that is asleep, locked or left. */
  isActive?: () => boolean | Promise<boolean>;
}

export function createHeartbeat({
  send,
  every = heartbeatEveryMs,
  schedule = realSchedule,
  isActive = () => true,
}: HeartbeatOptions): Heartbeat {
  let cancel: (() => void) | undefined;
  let running = false;

  const next = () => {
    cancel?.();
    cancel = schedule(every, () => void beat());
  };
  async function beat() {
    if (running) next();
    if (await isActive()) await send(false).catch(() => undefined);
  }

  return {
    start: () => {
      if (running) return;
      running = true;
      void beat();
    },
    beat,
    stop: async ({ leaving } = { leaving: true }) => {
      const wasRunning = running;
      running = false;
      cancel?.();
      if (wasRunning && leaving) await send(true).catch(() => undefined);
    },
  };
}
