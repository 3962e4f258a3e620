import type { FastifyBaseLogger } from 'fastify';

/** Says that something new of an organisation is committed, seldom enough to cost nothing, and never for the last time too early. */
export interface Bell {
  /** Acts at once, then at most once in 200 ms with all that was rung for meanwhile. */
  ring: (orgId: string, count?: number) => void;
  /** Acts now on whatever waits for its turn. */
  settle: () => Promise<void>;
}

const pause = 200;

/** `act` is told how much was rung for since it was last called for the organisation. */
export function createBell(act: (orgId: string, count: number) => Promise<void>, log: FastifyBaseLogger): Bell {
  const resting = new Map<string, { count: number; timer: NodeJS.Timeout }>();
  const acting = new Set<Promise<void>>();

  function go(orgId: string, count: number): void {
    const done = act(orgId, count).catch((error: Error) => log.warn({ orgId, err: error }, 'bell rang in vain'));
    acting.add(done);
    void done.finally(() => acting.delete(done));
  }

  function rest(orgId: string): void {
    const timer = setTimeout(() => {
      const { count = 0 } = resting.get(orgId) ?? {};
      resting.delete(orgId);
      if (count === 0) return;
      go(orgId, count);
      rest(orgId);
    }, pause);
    resting.set(orgId, { count: 0, timer });
  }

  return {
    ring(orgId, count = 1) {
      const found = resting.get(orgId);
      if (found) {
        found.count += count;
        return;
      }
      go(orgId, count);
      rest(orgId);
    },
    async settle() {
      for (const [orgId, { count, timer }] of resting) {
        clearTimeout(timer);
        if (count > 0) go(orgId, count);
      }
      resting.clear();
      await Promise.all(acting);
    },
  };
}
