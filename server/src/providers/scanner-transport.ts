import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '#core/errors.ts';
import type { Outbound, ResponseLimits } from '#core/outbound.ts';
import { ScannerLimited, ScannerProblem } from './scanner-connector.ts';

export interface ScannerAnswer {
  status: number;
  headers: { get: (name: string) => string | null };
  body: string;
}

/** The origin of a URL: entered as base URL, or contained in the key. */
export type AddressOrigin = 'baseURL' | 'apiKey';

/** The messages of a scanner for failed requests. */
export interface ScannerProblems {
  /** The name of the scanner for users. */
  title: string;
  apiRefused: (host: string, why: string) => ScannerProblem;
  hostUnreachable: (host: string) => ScannerProblem;
  /** `field`: the origin of the URL. */
  urlRefused: (field: AddressOrigin, address: string, why: string) => ScannerProblem;
}

/** The maximum number of attempts, and the milliseconds before the second one. */
export interface RetryOptions {
  tries?: number;
  pause?: number;
}

type Init = Parameters<Outbound['fetch']>[2];

export interface ScannerTransport {
  /** Throws ScannerProblem for a URL that is not allowed. */
  check: (from: AddressOrigin, url: string) => Promise<void>;
  /**
   * Sends a request and retries temporary failures. Returns responses with a status below 500 other than 429. Throws
   * ScannerProblem for other failures, and ScannerLimited during a rate limit.
   */
  call: (from: AddressOrigin, url: string, init?: Init, limits?: ResponseLimits) => Promise<ScannerAnswer>;
}

export function createScannerTransport(
  outbound: Outbound,
  problems: ScannerProblems,
  { tries = 4, pause = 500 }: RetryOptions = {},
): ScannerTransport {
  return {
    async check(from, url) {
      await outbound.check(from, url).catch((error: unknown) => {
        throw problemOf(problems, from, url, error);
      });
    },
    async call(from, url, init, limits) {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await sendOnce(outbound, problems, { from, url, init, limits });
        if ('status' in outcome) return outcome;
        if (attempt >= tries || (outcome.until?.getTime() ?? 0) > Date.now() + LONGEST_WAIT_MS) throw outcome.error;
        const backoff = pause * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
        await sleep(Math.max(backoff, (outcome.until?.getTime() ?? 0) - Date.now()));
      }
    },
  };
}

// For a longer rate limit, the job is postponed.
const LONGEST_WAIT_MS = 10_000;

async function sendOnce(
  outbound: Outbound,
  problems: ScannerProblems,
  { from, url, init, limits }: { from: AddressOrigin; url: string; init: Init; limits: ResponseLimits | undefined },
): Promise<ScannerAnswer | { error: Error; until?: Date }> {
  const host = new URL(url).host;
  let answer: Awaited<ReturnType<Outbound['fetch']>>;
  try {
    answer = await outbound.fetch(from, url, init, limits);
  } catch (error) {
    const problem = problemOf(problems, from, url, error);
    if (problem instanceof ScannerProblem && problem.code === 'unreachable') return { error: problem };
    throw problem;
  }
  const { status, headers, body } = answer;
  if (status === 429) {
    const until = new Date(Date.now() + secondsIn(headers.get('retry-after')) * 1000);
    return { error: new ScannerLimited(problems.title, until), until };
  }
  if (status >= 500) return { error: problems.hostUnreachable(host) };
  if (status >= 300 && status < 400) throw problems.apiRefused(host, 'redirects, which is not followed');
  return { status, headers, body };
}

function problemOf(problems: ScannerProblems, from: AddressOrigin, url: string, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const host = URL.canParse(url) ? new URL(url).host : url;
  if (error.code !== 'validation_failed') return problems.hostUnreachable(host);
  const why = error.extra.details?.[0]?.message ?? 'cannot be called';
  return problems.urlRefused(from, host, why);
}

const secondsIn = (header: string | null): number => {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) : 60;
};
