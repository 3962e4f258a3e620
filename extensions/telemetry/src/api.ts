import type { Clock } from './clock.ts';

/** Paths below the server URL, as in the contract. */
export const paths = {
  events: '/api/v2/events/user',
  context: '/api/v2/events/explore/context',
  heartbeat: '/api/v2/user/heartbeat',
  tools: '/api/v2/user/tools',
  redeem: '/api/v2/extensions/token',
  renew: '/api/v2/extensions/token/renew',
  revoke: '/api/v2/extensions/token/revoke',
  settings: '/api/v2/extensions/settings',
  status: '/api/v2/user/status',
} as const;

export interface ApiReply {
  /** 0: no response, or a response that is not from Sightline, such as a captive portal. */
  status: number;
  /** The JSON of the response; null without JSON. */
  body: unknown;
  /** The value of `Retry-After` in milliseconds; null without one. */
  retryAfterMs: number | null;
  /** Human-readable error message; empty on success. */
  message: string;
}

export interface ApiRequest {
  token?: string;
  body?: unknown;
}
export type SendRequest = (method: 'GET' | 'POST' | 'PUT', path: string, request?: ApiRequest) => Promise<ApiReply>;

export interface ApiOptions {
  /** Origin of the server: `https://sightline.example`. Read before each request. */
  server: () => string;
  /** Default: global `fetch`. */
  fetch?: typeof globalThis.fetch;
  timeoutMs?: number;
  clock?: Clock;
}

/** Sends requests to the server. Never throws: errors are returned as a `Reply` too. */
export function createApi({ server, fetch, timeoutMs = 15_000, clock = Date.now }: ApiOptions): SendRequest {
  return async (method, path, { token, body } = {}) => {
    try {
      const answer = await (fetch ?? globalThis.fetch)(new URL(path, server()), {
        method,
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // Cookies belong to the user's browser session, and a redirect would send the token to another host.
        credentials: 'omit',
        redirect: 'error',
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return await replyOf(answer, clock);
    } catch (error) {
      return failure(error);
    }
  };
}

async function replyOf(answer: Response, clock: Clock): Promise<ApiReply> {
  const text = await answer.text();
  const body = jsonOf(text);
  if (answer.ok && text !== '' && body === null) {
    return { status: 0, body: null, retryAfterMs: null, message: 'The response is not from a Sightline server.' };
  }
  return {
    status: answer.status,
    body,
    retryAfterMs: retryAfterOf(answer.headers.get('retry-after'), clock()),
    message: answer.ok ? '' : (messageOf(body) ?? `The server responded with status ${answer.status}.`),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function messageOf(body: unknown): string | undefined {
  const message = body !== null && typeof body === 'object' && 'message' in body ? body.message : undefined;
  return typeof message === 'string' && message !== '' ? message.slice(0, 300) : undefined;
}

/** RFC 9110: seconds, or a date. */
function retryAfterOf(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

// URLs and headers of a failed request can contain secrets, so only the error class is reported.
const failure = (error: unknown): ApiReply => ({
  status: 0,
  body: null,
  retryAfterMs: null,
  message:
    error instanceof Error && error.name === 'TimeoutError'
      ? 'The server did not respond in time.'
      : 'The server could not be reached.',
});
