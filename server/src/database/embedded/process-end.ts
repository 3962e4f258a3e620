import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const stops = new Set<() => Promise<void>>();

/**
 * Runs `stop` when a signal would end this process and has no other listener. Other listeners perform their own
 * shutdown. Returns a function that removes the listeners.
 */
export function onEndingSignal(stop: () => Promise<void>): () => void {
  if (stops.size === 0) for (const signal of signals) process.on(signal, endBy);
  stops.add(stop);
  return () => {
    if (stops.delete(stop) && stops.size === 0) for (const signal of signals) process.off(signal, endBy);
  };
}

function endBy(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  void Promise.allSettled([...stops].map((stop) => stop())).finally(() => {
    // Exits instead of repeating the signal, so that the exit handlers of starting programs run.
    process.exit(128 + constants.signals[signal]);
  });
}
