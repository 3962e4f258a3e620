/** Uploads that are being taken in, for the server to end them before its database goes. */
export interface UnderWay {
  run: (work: (stopped: AbortSignal) => Promise<void>) => Promise<void>;
  /** Tells all of them to stop, and waits until they have. */
  stop: () => Promise<void>;
}

export function createUnderWay(): UnderWay {
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
