import { Refusal } from '#core/errors.ts';
import type { Outbound } from '#core/outbound.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { requestHost } from '#providers/host-request.ts';

export interface TrackerRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  /** Whether a repetition has no effect; default: of GET. */
  isRepeatable?: boolean;
}

/** Sends a request to a path below the address of the tracker. Returns JSON; undefined for an empty response. */
export type TrackerTransport = (path: string, request?: TrackerRequest) => Promise<unknown>;

interface TransportOptions {
  outbound: Outbound;
  baseURL: string;
  headers: Readonly<Record<string, string>>;
  budget?: HostBudget | undefined;
  /** The end of the rate limit that a response reports, beside status 429. */
  limitedUntil?: (status: number, body: string) => Date | undefined;
  rateLimitPrefix?: string;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
// Jira and Linear send Retry-After or a reset time; this is the wait without either.
const DEFAULT_WAIT_MS = 60_000;
const MAX_WAIT_MS = 60 * 60_000;

/** Requests pass the checks of outgoing requests of the organization, and follow no redirect. */
export function createTrackerTransport({
  outbound,
  baseURL,
  headers,
  budget = createHostBudget(),
  limitedUntil,
  rateLimitPrefix = 'x-ratelimit-',
}: TransportOptions): TrackerTransport {
  const host = URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
  return async (path, { method = 'GET', query = {}, body, isRepeatable = method === 'GET' } = {}) => {
    const url = new URL(`${baseURL}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const send = () =>
      outbound
        .fetch(
          'baseURL',
          url.href,
          {
            method,
            headers: {
              accept: 'application/json',
              'user-agent': 'Sightline',
              ...headers,
              ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          },
          { timeout: TIMEOUT_MS, size: MAX_BYTES },
        )
        .catch((error: unknown) => {
          throw failureOf(host, error);
        });
    const response = await requestHost({
      budget,
      send,
      limitedUntil: ({ status, headers: sent, body: text }) =>
        status === 429 ? new Date(Date.now() + waitOf(sent.get('retry-after'))) : limitedUntil?.(status, text),
      rateLimitPrefix,
      isRepeatable,
    });
    const { status, body: text } = response;
    if (status >= 500) throw new HostFailed(`${host} answered ${status}.`);
    if (status >= 300 && status < 400) throw new HostRefused(status, `${host} redirects, which is not followed.`);
    if (status >= 400) throw new HostRefused(status, `${host} answered ${status}: ${reasonIn(text)}`);
    return parsed(host, text);
  };
}

function failureOf(host: string, error: unknown): Error {
  if (!(error instanceof Refusal)) return error as Error;
  if (error.code !== 'validation_failed') return new HostFailed(`${host} could not be reached.`);
  return new HostRefused(421, `${host} ${error.extra.details?.[0]?.message ?? 'cannot be called'}.`);
}

function parsed(host: string, text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return toStorable(JSON.parse(text));
  } catch {
    throw new HostRefused(422, `${host} does not respond as an issue tracker.`);
  }
}

/** Milliseconds: of a number of seconds, or of a date. */
function waitOf(header: string | null): number {
  const value = header ?? '';
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_WAIT_MS) : DEFAULT_WAIT_MS;
}

const MAX_REASON = 300;

function reasonIn(text: string): string {
  try {
    const { errorMessages, errors, message } = JSON.parse(text) as Record<string, unknown>;
    const listed = [
      ...(Array.isArray(errorMessages) ? errorMessages : []),
      ...(Array.isArray(errors) ? errors.map((one) => (one as { message?: unknown })?.message) : []),
      ...(errors !== null && typeof errors === 'object' && !Array.isArray(errors) ? Object.values(errors) : []),
      message,
    ].filter((one) => typeof one === 'string' && one !== '');
    return listed.join(' ').slice(0, MAX_REASON) || 'no reason given';
  } catch {
    return 'no reason given';
  }
}
