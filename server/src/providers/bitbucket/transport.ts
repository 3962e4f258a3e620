import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { Credentials } from '#providers/connectable.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { storable } from '#providers/host-data.ts';
import { requestHost } from '#providers/host-request.ts';
import { authorizationOf } from './secrets.ts';

export interface BitbucketRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Readonly<Record<string, string | number | readonly string[]>>;
  body?: unknown;
  /** Bytes of the answer above which it is refused with 413. */
  size?: number;
}

/**
 * Asks Bitbucket: a path below its API (`/user`), or a whole address it gave for the next page, which must lie there too.
 * Throws as CodeHost says.
 */
export interface Transport {
  json: (path: string, question?: BitbucketRequest) => Promise<unknown>;
  bytes: (path: string, question?: BitbucketRequest) => Promise<Buffer>;
  /** What we may do by what we ask with, in Bitbucket's words, as told beside this answer; null where it does not say. */
  scopes: (path: string) => Promise<string[] | null>;
}

const timeout = 30_000;
const mostRedirects = 3;
// Bitbucket names no moment: an hour is counted as it slides by.
const untold = 120_000;
const mostBytes = 32 * 1024 * 1024;

/**
 * `apiUrl`: without a slash at the end. No call leaves it, and with it nothing we ask with. `credentials` answers a secret as
 * secrets.ts writes it; where Bitbucket does not take it something newer comes back, or the same where there is nothing newer.
 */
export function createTransport(
  apiUrl: string,
  credentials: Credentials,
  budget: HostBudget = createHostBudget(),
): Transport {
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

  const ask = async (url: string, question: BitbucketRequest, redirects = 0): Promise<Response> => {
    const secret = await credentials();
    let answer = await request(url, secret, question);
    if (answer.status === 401) {
      const other = await credentials(secret);
      if (other !== secret) answer = await request(url, other, question);
    }
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    if (location !== null && (question.method ?? 'GET') === 'GET' && redirects < mostRedirects) {
      await answer.body?.cancel();
      return ask(within(apiUrl, new URL(location, url).href), question, redirects + 1);
    }
    if (answer.ok) return answer;
    const said = await answer.text();
    if (answer.status >= 500) throw new HostFailed(`Bitbucket answered ${answer.status}`);
    throw new HostRefused(answer.status, `Bitbucket answered ${answer.status}: ${messageIn(said)}`);
  };

  const answer = (path: string, question: BitbucketRequest = {}): Promise<Response> => {
    const url = new URL(path.startsWith('/') ? `${apiUrl}${path}` : within(apiUrl, path));
    for (const [name, value] of Object.entries(question.query ?? {})) {
      for (const item of [value].flat()) url.searchParams.append(name, String(item));
    }
    return ask(url.href, question);
  };
  const bytes = async (path: string, question: BitbucketRequest = {}): Promise<Buffer> =>
    readCapped(await answer(path, question), question.size ?? mostBytes);

  return {
    bytes,
    async scopes(path) {
      const { headers, body } = await answer(path);
      await body?.cancel();
      const told = headers.get('x-oauth-scopes');
      return told === null ? null : told.split(/[\s,]+/).filter((scope) => scope !== '');
    },
    async json(path, question) {
      const text = (await bytes(path, question)).toString('utf8');
      try {
        return text === '' ? undefined : storable(JSON.parse(text));
      } catch {
        throw new Error('The response of Bitbucket is not JSON');
      }
    },
  };
}

/** Names a segment of a path. */
export const segment = (text: string): string => encodeURIComponent(text);

// An address in an answer must not carry what we ask with to a host that the operator did not name.
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
  return new Date(Date.now() + (after >= 0 ? after * 1000 : untold));
}

function messageIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: { message?: string }; message?: string };
    return (error?.message ?? message ?? 'no reason given').slice(0, 500);
  } catch {
    return 'no reason given';
  }
}

async function readCapped(answer: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > most) throw new HostRefused(413, `The response is larger than ${Math.round(most / 1024 / 1024)} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
