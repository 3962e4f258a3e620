import type { Outbound } from '#core/outbound.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { CredentialSource } from '#providers/connectable.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { requestHost, withinInstance } from '#providers/host-request.ts';
import { unreachable } from '#providers/host-unreachable.ts';

export interface GitlabAnswer {
  data: unknown;
  headers: { get: (name: string) => string | null };
}

export interface GitlabRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** Sends a request: a path (`/api/v4/user`) or the full URL of a next page. Throws the errors of CodeHost. */
export type GitlabApi = (path: string, question?: GitlabRequest) => Promise<GitlabAnswer>;

const limits = { timeout: 30_000, size: 24 * 1024 * 1024 };
const MAX_REDIRECTS = 3;

/** `baseURL`: the URL of the instance without a trailing slash. Requests are only sent to its origin. */
export function createGitlabApi(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget: HostBudget = createHostBudget(),
): GitlabApi {
  const send = async (url: string, token: string, { method = 'GET', body }: GitlabRequest): Promise<GitlabResponse> => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'sightline',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return outbound.fetch('baseURL', url, init, limits);
  };

  const request = (url: string, token: string, question: GitlabRequest): Promise<GitlabResponse> =>
    requestHost({
      budget,
      send: () =>
        send(url, token, question).catch((error: unknown) => {
          throw unreachable(baseURL, error);
        }),
      limitedUntil,
      rateLimitPrefix: 'ratelimit-',
      isRepeatable: (question.method ?? 'GET') === 'GET',
    });

  const ask = async (url: string, question: GitlabRequest, redirects: number): Promise<GitlabAnswer> => {
    const token = await credentials();
    let sent = await request(url, token, question);
    if (sent.status === 401) {
      const other = await credentials(token);
      if (other !== token) sent = await request(url, other, question);
    }
    const location = sent.status >= 300 && sent.status < 400 ? sent.headers.get('location') : null;
    if (location !== null && (question.method ?? 'GET') === 'GET' && redirects < MAX_REDIRECTS) {
      return ask(withinInstance(baseURL, new URL(location, url).href), question, redirects + 1);
    }
    if (sent.status >= 500) throw new HostFailed(`GitLab answered ${sent.status}`);
    if (sent.status >= 300)
      throw new HostRefused(sent.status, `GitLab answered ${sent.status}: ${refusalMessageIn(sent.body)}`);
    return { data: parsed(sent.body), headers: sent.headers };
  };

  return (path, question = {}) => {
    const url = new URL(path.startsWith('/') ? `${baseURL}${path}` : withinInstance(baseURL, path));
    for (const [name, value] of Object.entries(question.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return ask(url.href, question, 0);
  };
}

type GitlabResponse = Awaited<ReturnType<Outbound['fetch']>>;

function limitedUntil({ status, headers }: GitlabResponse): Date | undefined {
  if (status !== 429) return undefined;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (after >= 0) return new Date(Date.now() + after * 1000);
  const reset = Number(headers.get('ratelimit-reset') ?? Number.NaN);
  return reset > 0 ? new Date(reset * 1000) : new Date(Date.now() + 60_000);
}

function parsed(body: string): unknown {
  if (body === '') return null;
  try {
    return toStorable(JSON.parse(body));
  } catch {
    throw new Error('GitLab answered with something that is not JSON. Is this the address of a GitLab?');
  }
}

/** The message of a refusal by the instance, shortened and without the request. */
export function refusalMessageIn(body: string): string {
  try {
    const { message, error_description, error } = JSON.parse(body) as Record<string, unknown>;
    const reason = error_description ?? message ?? error;
    // GitLab repeats the status: "404 Project Not Found".
    return (typeof reason === 'string' ? reason.replace(/^\d{3} /, '') : JSON.stringify(reason ?? '')).slice(0, 200);
  } catch {
    // The owner who entered the URL must not read responses of other services.
    return 'something that is not JSON';
  }
}
