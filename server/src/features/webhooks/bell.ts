import type { Services } from '#core/services.ts';

/** Asks for the job that works an organisation's deliveries off, seldom enough to cost nothing. */
export interface Bell {
  /**
   * Makes sure that a job will run after everything of this minute is in, whatever becomes of this process: nothing
   * that was answered is left behind by a crash.
   */
  guard: (orgId: string) => Promise<void>;
  /** Something new is committed. Asks at once, then at most once in 200 ms, the last time after the last delivery. */
  ring: (orgId: string) => void;
  /** Asks now for whatever waits for its turn. */
  settle: () => Promise<void>;
}

const pause = 200;
const minute = 60_000;

export function createBell({ database, jobs, log }: Services): Bell {
  const guarded = new Map<string, { minute: number; done: Promise<void> }>();
  const resting = new Map<string, { again: boolean; timer: NodeJS.Timeout }>();
  const asking = new Set<Promise<void>>();

  const enqueue = (orgId: string, key: string, startAfter?: Date) =>
    database.withOrg(orgId, (tx) =>
      jobs.enqueue(tx, 'webhook.work', { orgId }, { key, ...(startAfter && { startAfter }) }),
    );

  function ask(orgId: string): void {
    const asked = enqueue(orgId, orgId).catch((error: Error) =>
      log.warn({ orgId, error: error.message }, 'webhooks wait for the job of the minute'),
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
    guard(orgId) {
      const now = Math.floor(Date.now() / minute);
      const found = guarded.get(orgId);
      if (found?.minute === now) return found.done;
      const done = enqueue(orgId, `${orgId} ${now}`, new Date((now + 2) * minute));
      if (guarded.size > 10_000) guarded.clear();
      guarded.set(orgId, { minute: now, done });
      done.catch(() => guarded.delete(orgId));
      return done;
    },
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
