import { setTimeout as sleep } from 'node:timers/promises';
import { HostLimited, HostRefused } from './code-host.ts';
import { type HostBudget, rateLimitFrom } from './host-budget.ts';

const MAX_ATTEMPTS = 3;
/** A longer wait ends the call, and the job is postponed. */
const LONGEST_WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 250;

interface HostResponse {
  readonly status: number;
  readonly headers: { get: (name: string) => string | null };
}

export interface HostRequest<Response extends HostResponse> {
  budget: HostBudget;
  /** Sends the request once. */
  send: () => Promise<Response>;
  /** The end of the rate limit that a response reports, if any; by default of 429 with Retry-After. */
  limitedUntil?: (response: Response) => Date | undefined;
  /** Prefix of the rate limit headers, such as `x-ratelimit-`. */
  rateLimitPrefix: string;
  /** False for requests that create or delete: a first attempt without a response may have succeeded. */
  isRepeatable: boolean;
  /** Releases the connection of a response that is not read. */
  discard?: (response: Response) => Promise<void>;
}

/**
 * Sends a request to a code host within its rate limit. Retries after a short rate limit or a temporary failure.
 * Returns the last response. Throws HostLimited during a longer rate limit, and the last error without a response.
 */
export async function requestHost<Response extends HostResponse>(request: HostRequest<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    request.budget.spend();
    const outcome = await request.send().catch((error: Error) => error);
    const until = limitOf(request, outcome);
    const waitMs = until === undefined ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : until.getTime() - Date.now();
    const isRetried = attempt < MAX_ATTEMPTS && waitMs <= LONGEST_WAIT_MS && isTemporary(request, outcome, until);
    if (!isRetried) return finish(request, outcome, until);
    if (!(outcome instanceof Error)) await request.discard?.(outcome);
    await sleep(Math.max(waitMs, 0));
  }
}

function limitOf<Response extends HostResponse>(
  { budget, limitedUntil = retryAfterLimit, rateLimitPrefix }: HostRequest<Response>,
  outcome: Response | Error,
): Date | undefined {
  if (outcome instanceof Error) return undefined;
  budget.update(rateLimitFrom((name) => outcome.headers.get(name), rateLimitPrefix));
  return limitedUntil(outcome);
}

/** The end of a rate limit by Retry-After in seconds, or a minute without it. */
function retryAfterLimit({ status, headers }: HostResponse): Date | undefined {
  if (status !== 429) return undefined;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new Date(Date.now() + (seconds >= 0 ? seconds * 1000 : 60_000));
}

function isTemporary<Response extends HostResponse>(
  { isRepeatable }: HostRequest<Response>,
  outcome: Response | Error,
  until: Date | undefined,
): boolean {
  if (until !== undefined) return true;
  if (!isRepeatable) return false;
  return outcome instanceof Error ? !(outcome instanceof HostRefused) : outcome.status >= 500;
}

function finish<Response extends HostResponse>(
  { budget }: HostRequest<Response>,
  outcome: Response | Error,
  until: Date | undefined,
): Response {
  if (until !== undefined) {
    budget.exhaust(until);
    throw new HostLimited(until);
  }
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** Returns a URL that a response names if it is one of the instance, else throws: credentials are sent nowhere else. */
export function withinInstance(baseURL: string, address: string): string {
  const { origin } = new URL(address);
  if (origin === new URL(baseURL).origin) return address;
  throw new Error(`The code host pointed to ${origin}, which is not the instance that is connected`);
}
