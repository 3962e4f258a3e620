import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { CredentialSource } from '#providers/connectable.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { requestHost } from '#providers/host-request.ts';
import { unreachable } from '#providers/host-unreachable.ts';

interface AzureDevopsAnswer {
  data: unknown;
  headers: { get: (name: string) => string | null };
}

export interface AzureDevopsRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
  /** Identities have an address of their own in Azure DevOps Services. */
  site?: 'identities';
  /** Whether the resource exists as a preview only. */
  isPreview?: boolean;
  /** Whether a POST request only reads, so that it can be repeated. */
  isQuery?: boolean;
}

export interface AzureDevopsApi {
  baseURL: string;
  /** Sends a request to a path below the organization or collection. Throws the errors of CodeHost. */
  json: (path: string, question?: AzureDevopsRequest) => Promise<AzureDevopsAnswer>;
  /** The same for content. */
  bytes: (path: string, query?: AzureDevopsRequest['query']) => Promise<Buffer>;
}

const limits = { timeout: 30_000, size: 24 * 1024 * 1024 };
/** The newest version first. Servers reject versions that are newer than they are. */
const versions = ['7.1', '7.0', '6.0'] as const;

/** `baseURL`: the URL of the organization or collection without a trailing slash. The token is sent nowhere else. */
export function createAzureDevopsApi(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget: HostBudget = createHostBudget(),
): AzureDevopsApi {
  let version = 0;
  const identitiesURL = identitiesURLOf(baseURL);

  const request = async (
    url: string,
    token: string,
    question: AzureDevopsRequest,
    accept: string,
  ): Promise<AzureDevopsResponse> => {
    const { method = 'GET', body, isQuery = false } = question;
    const headers = {
      authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
      accept,
      'user-agent': 'sightline',
      // Without it, a rejected token leads to a page for signing in.
      'x-tfs-fedauthredirect': 'Suppress',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await requestHost({
      budget,
      send: () =>
        outbound.fetch('baseURL', url, init, limits).catch((error: unknown) => {
          throw unreachable(baseURL, error);
        }),
      limitedUntil,
      rateLimitPrefix: 'x-ratelimit-',
      isRepeatable: method === 'GET' || isQuery,
    });
    // Also an accepted request can come with the wish to wait before the next one.
    const seconds = retryAfterSeconds(response.headers);
    if (seconds > 0) budget.exhaust(new Date(Date.now() + seconds * 1000));
    return response;
  };

  const urlOf = (path: string, { query = {}, site, isPreview = false }: AzureDevopsRequest): string => {
    const url = new URL(`${site === 'identities' ? identitiesURL : baseURL}${path}`);
    url.searchParams.set('api-version', `${versions[version]}${isPreview ? '-preview.1' : ''}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  };

  const ask = async (
    path: string,
    question: AzureDevopsRequest,
    accept = 'application/json',
  ): Promise<AzureDevopsResponse> => {
    const asked = version;
    const token = await credentials();
    let sent = await request(urlOf(path, question), token, question, accept);
    if (isSignIn(sent)) {
      const other = await credentials(token);
      if (other !== token) sent = await request(urlOf(path, question), other, question, accept);
    }
    if (isSignIn(sent)) throw new HostRefused(401, 'Azure DevOps answered with a request to sign in');
    if (sent.status === 400 && isOutOfRange(sent.body) && asked < versions.length - 1) {
      version = Math.max(version, asked + 1);
      return ask(path, question, accept);
    }
    if (sent.status >= 500) throw new HostFailed(`Azure DevOps answered ${sent.status}`);
    if (sent.status >= 300)
      throw new HostRefused(sent.status, `Azure DevOps answered ${sent.status}: ${refusalMessageIn(sent.body)}`);
    return sent;
  };

  return {
    baseURL,
    async json(path, question = {}) {
      const { body, headers } = await ask(path, question);
      return { data: parsed(body), headers };
    },
    bytes: async (path, query = {}) => (await ask(path, { query }, 'application/octet-stream')).bytes,
  };
}

type AzureDevopsResponse = Awaited<ReturnType<Outbound['fetch']>>;

/** Azure DevOps Services has identities at an address of its own for each organization; a server at the collection. */
export function identitiesURLOf(baseURL: string): string {
  const url = new URL(baseURL);
  if (url.host !== 'dev.azure.com') return baseURL;
  url.host = 'vssps.dev.azure.com';
  return url.href.replace(/\/+$/, '');
}

/** A rejected token: 401, or a page for signing in with 203 or a redirect to it. Nothing is ever redirected elsewhere. */
const isSignIn = ({ status }: AzureDevopsResponse): boolean =>
  status === 401 || status === 203 || (status >= 300 && status < 400);

const isOutOfRange = (body: string): boolean => body.includes('VssVersionOutOfRangeException');

/** The longest of the times that a refusal names, or a minute. A server under load answers 503 with such a time. */
function limitedUntil({ status, headers }: AzureDevopsResponse): Date | undefined {
  const [after, delay] = ['retry-after', 'x-ratelimit-delay'].map((name) => Number(headers.get(name) || Number.NaN));
  const seconds = Math.max(...[after, delay].flatMap((one) => (one !== undefined && one >= 0 ? one : [])));
  if (status !== 429 && !(status === 503 && seconds > 0)) return undefined;
  if (seconds >= 0) return new Date(Date.now() + seconds * 1000);
  const reset = Number(headers.get('x-ratelimit-reset') || Number.NaN);
  return reset > 0 ? new Date(reset * 1000) : new Date(Date.now() + 60_000);
}

function parsed(body: string): unknown {
  if (body === '') return null;
  try {
    return toStorable(JSON.parse(body));
  } catch {
    throw new Error(
      'The code host answered with something that is not JSON. Is this the address of an organization or collection of Azure DevOps?',
    );
  }
}

/** The message of a refusal, shortened. */
function refusalMessageIn(body: string): string {
  try {
    const { message } = JSON.parse(body) as Record<string, unknown>;
    return (typeof message === 'string' ? message : JSON.stringify(message ?? '')).slice(0, 200);
  } catch {
    // The owner who entered the URL must not read responses of other services.
    return 'something that is not JSON';
  }
}
