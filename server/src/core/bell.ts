import type { FastifyBaseLogger } from 'fastify';

/** Asks for a job of an organisation, seldom enough to cost nothing, and never too early to miss what it rang for. */
export interface Bell {
  /** Something new is committed. Asks at once, then at most once in 200 ms, the last time after the last ring. */
  ring: (orgId: string) => void;
  /** Asks now for whatever waits for its turn. */
  settle: () => Promise<void>;
}

const pause = 200;

export function createBell(enqueue: (orgId: string) => Promise<void>, log: FastifyBaseLogger): Bell {
  const resting = new Map<string, { again: boolean; timer: NodeJS.Timeout }>();
  const asking = new Set<Promise<void>>();

  function ask(orgId: string): void {
    const asked = enqueue(orgId).catch((error: Error) =>
      log.warn({ orgId, error: error.message }, 'job could not be queued'),
    );
    asking.add(asked);
    void asked.finally(() => asking.delete(asked));
  }

  function rest(orgId: string): void {
    const timer = setTimeout(() => {
      const { again = false } = resting.get(orgId) ?? {};
      resting.delete(orgId);
      if (!again) return;
      ask(orgId);
      rest(orgId);
    }, pause);
    resting.set(orgId, { again: false, timer });
  }

  return {
    ring(orgId) {
      const found = resting.get(orgId);
      if (found) {
        found.again = true;
        return;
      }
      ask(orgId);
      rest(orgId);
    },
    async settle() {
      for (const [orgId, { again, timer }] of resting) {
        clearTimeout(timer);
        if (again) ask(orgId);
      }
      resting.clear();
      await Promise.all(asking);
    },
  };
}
