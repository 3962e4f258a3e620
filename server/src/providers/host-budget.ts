import { AsyncLocalStorage } from 'node:async_hooks';
import { HostLimited } from './code-host.ts';

/** The share of the requests of a host that only webhooks and lists of commits may use. */
const reservedShare = 0.2;

/** What an answer of a host says of the requests that are left; `resetAt` in epoch milliseconds. */
export interface RequestsLeft {
  limit: number;
  remaining: number;
  resetAt: number;
}

/** The requests that one credential has left at a host, as its answers say. */
export interface HostBudget {
  /** Call before a request. Throws HostLimited where the host would refuse it, or where what is left is reserved. */
  spend: () => void;
  /** What the host said beside an answer; undefined where it said nothing. */
  update: (left: RequestsLeft | undefined) => void;
  /** The host refuses every request until then. */
  exhaust: (until: Date) => void;
}

const reserve = new AsyncLocalStorage<true>();

/** Lets the requests that `work` makes use the reserved share, too: webhooks and lists of commits. */
export const usingReserve = <Result>(work: () => Promise<Result>): Promise<Result> => reserve.run(true, work);

export function createHostBudget(): HostBudget {
  let known: RequestsLeft | undefined;
  let refusedUntil = 0;
  return {
    spend() {
      const now = Date.now();
      if (refusedUntil > now) throw new HostLimited(new Date(refusedUntil));
      if (!known || known.resetAt <= now) return;
      const reserved = reserve.getStore() ? 0 : Math.floor(known.limit * reservedShare);
      if (known.remaining <= reserved) throw new HostLimited(new Date(known.resetAt));
      known = { ...known, remaining: known.remaining - 1 };
    },
    update(left) {
      if (left) known = left;
    },
    exhaust(until) {
      refusedUntil = until.getTime();
    },
  };
}

/** Budgets by the credential they belong to, one for each. */
export function createHostBudgets(): (credential: string) => HostBudget {
  const budgets = new Map<string, HostBudget>();
  return (credential) => {
    const found = budgets.get(credential) ?? createHostBudget();
    budgets.set(credential, found);
    return found;
  };
}

/** Reads the headers of a rate limit, whichever words a host begins them with; `resetAt` there in epoch seconds. */
export function requestsLeftIn(header: (name: string) => unknown, prefix: string): RequestsLeft | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = header(`${prefix}${name}`);
    return value === undefined || value === null || value === '' ? Number.NaN : Number(value);
  });
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  const left = { limit, remaining, resetAt: reset * 1000 };
  return Object.values(left).every((value) => Number.isFinite(value) && value >= 0) ? left : undefined;
}
