import { AsyncLocalStorage } from 'node:async_hooks';
import { HostLimited } from './code-host.ts';

/** The share of the rate limit that is reserved for webhooks and commit lists. */
const RESERVED_SHARE = 0.2;

/** The remaining requests that a response reports. `resetAt`: in epoch milliseconds. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  resetAt: number;
}

/** Tracks the remaining requests of one credential at a host. */
export interface HostBudget {
  /** Call before a request. Throws HostLimited if the limit is exhausted or only the reserved share is left. */
  spend: () => void;
  /** Updates the budget from a response; undefined if it reports nothing. */
  update: (left: RateLimitState | undefined) => void;
  /** Blocks all requests until a time. */
  exhaust: (until: Date) => void;
}

const reserve = new AsyncLocalStorage<true>();

/** Runs `work` with access to the reserved share, for webhooks and commit lists. */
export const runWithReserve = <Result>(work: () => Promise<Result>): Promise<Result> => reserve.run(true, work);

export function createHostBudget(): HostBudget {
  let current: RateLimitState | undefined;
  let refusedUntil = 0;
  return {
    spend() {
      const now = Date.now();
      if (refusedUntil > now) throw new HostLimited(new Date(refusedUntil));
      if (!current || current.resetAt <= now) return;
      const reserved = reserve.getStore() ? 0 : Math.floor(current.limit * RESERVED_SHARE);
      if (current.remaining <= reserved) throw new HostLimited(new Date(current.resetAt));
      current = { ...current, remaining: current.remaining - 1 };
    },
    update(left) {
      if (left) current = left;
    },
    exhaust(until) {
      refusedUntil = until.getTime();
    },
  };
}

/** Returns the budget of a credential, creating it on first use. */
export function createHostBudgets(): (credential: string) => HostBudget {
  const budgets = new Map<string, HostBudget>();
  return (credential) => {
    const found = budgets.get(credential) ?? createHostBudget();
    budgets.set(credential, found);
    return found;
  };
}

/** Parses rate limit headers with the prefix of a host. The header `reset` is in epoch seconds. */
export function rateLimitFrom(header: (name: string) => unknown, prefix: string): RateLimitState | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = header(`${prefix}${name}`);
    return value === undefined || value === null || value === '' ? Number.NaN : Number(value);
  });
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  const left = { limit, remaining, resetAt: reset * 1000 };
  return Object.values(left).every((value) => Number.isFinite(value) && value >= 0) ? left : undefined;
}
