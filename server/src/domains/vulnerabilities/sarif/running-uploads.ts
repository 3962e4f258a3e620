/** Running imports, so that the server ends them before its database connection. */
export interface RunningUploads {
  run: (work: (stopped: AbortSignal) => Promise<void>) => Promise<void>;
  /** Stops all imports and waits for their end. */
  stop: () => Promise<void>;
}

/** Created once with the upload routes; `stop` runs when the server closes. */
export function createRunningUploads(): RunningUploads {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const promise = work(stopping.signal).finally(() => running.delete(promise));
      running.add(promise);
      return promise;
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
