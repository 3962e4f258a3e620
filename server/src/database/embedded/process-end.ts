import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const stops = new Set<() => Promise<void>>();

/**
 * Runs `stop` when a signal would end this process and nobody else listens to it; whoever does has an orderly shutdown
 * of its own. Returns how to undo it.
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
    // By exit and not by the signal itself, so that the exit handlers of what is still starting run.
    process.exit(128 + constants.signals[signal]);
  });
}
