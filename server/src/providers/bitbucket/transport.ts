import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { CredentialSource } from '#providers/connectable.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { requestHost } from '#providers/host-request.ts';
import { authorizationOf } from './secrets.ts';

export interface BitbucketRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Readonly<Record<string, string | number | readonly string[]>>;
  body?: unknown;
  /** The maximum size of the response in bytes; HostRefused 413 above it. */
  size?: number;
}

/**
 * Sends requests to Bitbucket. `path` is a path of the API (`/user`) or the full URL of a next page below the API.
 * Throws the errors of CodeHost.
 */
export interface BitbucketTransport {
  json: (path: string, question?: BitbucketRequest) => Promise<unknown>;
  bytes: (path: string, question?: BitbucketRequest) => Promise<Buffer>;
  /** The scopes of the credentials from the headers of a response; null if it has none. */
  scopes: (path: string) => Promise<string[] | null>;
}

const timeout = 30_000;
const MAX_REDIRECTS = 3;
// Bitbucket reports no end of a rate limit, because it counts a sliding hour.
const DEFAULT_WAIT_MS = 120_000;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * `apiUrl`: without a trailing slash. Credentials are only sent to URLs below it. `credentials` returns a secret in the
 * format of secrets.ts; called with a rejected secret, it returns a newer one, or the same if there is none.
 */
export function createBitbucketTransport(
  apiUrl: string,
  credentials: CredentialSource,
  budget: HostBudget = createHostBudget(),
): BitbucketTransport {
  const send = async (url: string, secret: string, { method = 'GET', body }: BitbucketRequest): Promise<Response> =>
    fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: {
        authorization: authorizationOf(secret),
        accept: 'application/json',
        'user-agent': 'sightline',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new HostFailed('Bitbucket could not be reached');
    });

  const request = (url: string, secret: string, question: BitbucketRequest): Promise<Response> =>
    requestHost({
      budget,
      send: () => send(url, secret, question),
      limitedUntil,
      rateLimitPrefix: 'x-ratelimit-',
      isRepeatable: (question.method ?? 'GET') === 'GET',
      discard: async ({ body }) => body?.cancel(),
    });

  const follow = async (url: string, question: BitbucketRequest, redirects = 0): Promise<Response> => {
    const secret = await credentials();
    let response = await request(url, secret, question);
    if (response.status === 401) {
      const other = await credentials(secret);
      if (other !== secret) response = await request(url, other, question);
    }
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location !== null && (question.method ?? 'GET') === 'GET' && redirects < MAX_REDIRECTS) {
      await response.body?.cancel();
      return follow(within(apiUrl, new URL(location, url).href), question, redirects + 1);
    }
    if (response.ok) return response;
    const text = await response.text();
    if (response.status >= 500) throw new HostFailed(`Bitbucket answered ${response.status}`);
    throw new HostRefused(response.status, `Bitbucket answered ${response.status}: ${messageIn(text)}`);
  };

  const requestPath = (path: string, question: BitbucketRequest = {}): Promise<Response> => {
    const url = new URL(path.startsWith('/') ? `${apiUrl}${path}` : within(apiUrl, path));
    for (const [name, value] of Object.entries(question.query ?? {})) {
      for (const item of [value].flat()) url.searchParams.append(name, String(item));
    }
    return follow(url.href, question);
  };
  const bytes = async (path: string, question: BitbucketRequest = {}): Promise<Buffer> =>
    readCapped(await requestPath(path, question), question.size ?? MAX_BYTES);

  return {
    bytes,
    async scopes(path) {
      const { headers, body } = await requestPath(path);
      await body?.cancel();
      const scopes = headers.get('x-oauth-scopes');
      return scopes === null ? null : scopes.split(/[\s,]+/).filter((scope) => scope !== '');
    },
    async json(path, question) {
      const text = (await bytes(path, question)).toString('utf8');
      try {
        return text === '' ? undefined : toStorable(JSON.parse(text));
      } catch {
        throw new Error('The response of Bitbucket is not JSON');
      }
    },
  };
}

/** Encodes a segment of a path. */
export const pathSegment = (text: string): string => encodeURIComponent(text);

// A URL in a response must not send the credentials to a host that is not configured.
function within(apiUrl: string, address: string): string {
  const [base, target] = [new URL(`${apiUrl}/`), URL.canParse(address) ? new URL(address) : undefined];
  if (target?.origin === base.origin && target.pathname.startsWith(base.pathname) && target.username === '') {
    return target.href;
  }
  throw new Error(`Bitbucket redirected to ${target?.origin ?? 'no URL'}, which is not configured`);
}

function limitedUntil({ status, headers }: Response): Date | undefined {
  if (status !== 429) return undefined;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  return new Date(Date.now() + (after >= 0 ? after * 1000 : DEFAULT_WAIT_MS));
}

function messageIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: { message?: string }; message?: string };
    return (error?.message ?? message ?? 'no reason given').slice(0, 500);
  } catch {
    return 'no reason given';
  }
}

async function readCapped(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new HostRefused(413, `The response is larger than ${Math.round(limit / 1024 / 1024)} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
