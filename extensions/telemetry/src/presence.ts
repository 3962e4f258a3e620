import { realSchedule, type Schedule } from './clock.ts';

/** Heartbeat interval of an extension without a socket, as in the contract. */
export const HEARTBEAT_INTERVAL_MS = 4 * 60_000;

export interface Heartbeat {
  /** Starts, with an immediate heartbeat. */
  start(): void;
  /** Sends a heartbeat now if the user is active. */
  beat(): Promise<void>;
  /** Stops. Reports that the window closed, unless `leaving` is false. */
  stop(how?: { leaving: boolean }): Promise<void>;
}

export interface HeartbeatOptions {
  /** Must not throw. A lost heartbeat is followed by the next one. */
  send: (leaving: boolean) => Promise<unknown>;
  every?: number;
  schedule?: Schedule;
  /** Whether the user is active: no heartbeats are sent while the machine is asleep, locked or unattended. */
  isActive?: () => boolean | Promise<boolean>;
}

export function createHeartbeat({
  send,
  every = HEARTBEAT_INTERVAL_MS,
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
