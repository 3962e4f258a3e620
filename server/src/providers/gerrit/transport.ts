import type { Outbound } from '#core/outbound.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { CredentialSource } from '#providers/connectable.ts';
import type { GitCredentials } from '#providers/git-program.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { requestHost, withinInstance } from '#providers/host-request.ts';
import { unreachable } from '#providers/host-unreachable.ts';

/** Values of a parameter; a list repeats the parameter, as in `o=MESSAGES&o=LABELS`. */
export type GerritQuery = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface GerritApi {
  /** The URL of the instance without a trailing slash. */
  baseURL: string;
  /** Reads JSON at a path below `/a`. Throws the errors of CodeHost. */
  json: (path: string, query?: GerritQuery) => Promise<unknown>;
  /** Reads a file that the host encodes as base64. */
  base64: (path: string, query?: GerritQuery) => Promise<Buffer>;
}

const limits = { timeout: 30_000, size: 24 * 1024 * 1024 };
const MAX_REDIRECTS = 3;
// The host adds this line to JSON, so that no page of another origin can run it as a script.
const prefix = ")]}'";

/**
 * Reads a Gerrit with the name and HTTP password of an account. `baseURL`: the URL of the instance without a trailing
 * slash. Requests are only sent to its origin, and only GET: the integration changes nothing.
 */
export function createGerritApi(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget: HostBudget = createHostBudget(),
): GerritApi {
  const request = (url: string, secret: string): Promise<GerritResponse> =>
    requestHost({
      budget,
      send: () =>
        outbound
          .fetch('baseURL', url, { method: 'GET', headers: headersOf(secret) }, limits)
          .catch((error: unknown) => {
            throw unreachable(baseURL, error);
          }),
      // Gerrit limits concurrent requests only; a proxy in front may limit more.
      rateLimitPrefix: 'x-ratelimit-',
      isRepeatable: true,
    });

  const ask = async (url: string, redirects: number): Promise<string> => {
    const secret = await credentials();
    let sent = await request(url, secret);
    if (sent.status === 401) {
      const other = await credentials(secret);
      if (other !== secret) sent = await request(url, other);
    }
    const location = sent.status >= 300 && sent.status < 400 ? sent.headers.get('location') : null;
    if (location !== null && redirects < MAX_REDIRECTS)
      return ask(withinInstance(baseURL, new URL(location, url).href), redirects + 1);
    if (sent.status >= 500) throw new HostFailed(`The code host answered ${sent.status}`);
    // Refusals are plain text, which might be that of another service: the owner who entered the URL must not read it.
    if (sent.status >= 300) throw new HostRefused(sent.status, refusalOf(sent.status));
    return sent.body;
  };

  const urlOf = (path: string, query: GerritQuery = {}): string => {
    const url = new URL(`${baseURL}/a${path}`);
    for (const [name, value] of Object.entries(query)) {
      const values = Array.isArray(value) ? value : [value];
      for (const one of values) if (one !== undefined) url.searchParams.append(name, String(one));
    }
    return url.href;
  };

  return {
    baseURL,
    json: async (path, query) => parsed(await ask(urlOf(path, query), 0)),
    base64: async (path, query) => Buffer.from(await ask(urlOf(path, query), 0), 'base64'),
  };
}

type GerritResponse = Awaited<ReturnType<Outbound['fetch']>>;

const headersOf = (secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(secret).toString('base64')}`,
  accept: 'application/json',
  'user-agent': 'sightline',
});

/** The stored form of the credentials. Names of Gerrit contain no colon. */
export const storedSecretOf = (name: string, password: string): string => `${name}:${password}`;

export function gitCredentialsOf(secret: string): GitCredentials {
  const colon = secret.indexOf(':');
  return { user: secret.slice(0, colon), token: secret.slice(colon + 1) };
}

function refusalOf(status: number): string {
  if (status === 403) return 'The code host answered 403: the account lacks the access right';
  if (status === 404) return 'The code host answered 404: it does not exist, or the account may not see it';
  return `The code host answered ${status}`;
}

function parsed(body: string): unknown {
  const text = body.startsWith(prefix) ? body.slice(prefix.length) : body;
  if (text.trim() === '') return null;
  try {
    return toStorable(JSON.parse(text));
  } catch {
    throw new Error('The code host answered with something that is not JSON. Is this the address of a Gerrit?');
  }
}
