import type { Outbound } from '#core/outbound.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { CredentialSource } from '#providers/connectable.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { requestHost, withinInstance } from '#providers/host-request.ts';
import { unreachable } from '#providers/host-unreachable.ts';

export interface GiteaAnswer {
  data: unknown;
  headers: { get: (name: string) => string | null };
}

export interface GiteaRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

export interface GiteaApi {
  /** Sends a request to a path below `/api/v1`. Throws the errors of CodeHost. */
  json: (path: string, question?: GiteaRequest) => Promise<GiteaAnswer>;
  /** The same for a response that is text, such as a diff. */
  text: (path: string) => Promise<string>;
}

const limits = { timeout: 30_000, size: 24 * 1024 * 1024 };
const MAX_REDIRECTS = 3;

/** `baseURL`: the URL of the instance without a trailing slash. Requests are only sent to its origin. */
export function createGiteaApi(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget: HostBudget = createHostBudget(),
): GiteaApi {
  const request = (url: string, token: string, { method = 'GET', body }: GiteaRequest): Promise<GiteaResponse> => {
    const headers = {
      authorization: `token ${token}`,
      accept: 'application/json',
      'user-agent': 'sightline',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return requestHost({
      budget,
      send: () =>
        outbound.fetch('baseURL', url, init, limits).catch((error: unknown) => {
          throw unreachable(baseURL, error);
        }),
      // Neither product limits requests by itself; a proxy in front may.
      rateLimitPrefix: 'x-ratelimit-',
      isRepeatable: method === 'GET',
    });
  };

  const ask = async (url: string, question: GiteaRequest, redirects: number): Promise<GiteaResponse> => {
    const token = await credentials();
    let sent = await request(url, token, question);
    if (sent.status === 401) {
      const other = await credentials(token);
      if (other !== token) sent = await request(url, other, question);
    }
    const location = sent.status >= 300 && sent.status < 400 ? sent.headers.get('location') : null;
    if (location !== null && (question.method ?? 'GET') === 'GET' && redirects < MAX_REDIRECTS) {
      // A renamed repository.
      return ask(withinInstance(baseURL, new URL(location, url).href), question, redirects + 1);
    }
    if (sent.status >= 500) throw new HostFailed(`The code host answered ${sent.status}`);
    if (sent.status >= 300)
      throw new HostRefused(sent.status, `The code host answered ${sent.status}: ${refusalMessageIn(sent.body)}`);
    return sent;
  };

  const urlOf = (path: string, query: GiteaRequest['query'] = {}): string => {
    const url = new URL(`${baseURL}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  };

  return {
    async json(path, question = {}) {
      const { body, headers } = await ask(urlOf(path, question.query), question, 0);
      return { data: parsed(body), headers };
    },
    async text(path) {
      return String(toStorable((await ask(urlOf(path), {}, 0)).body));
    },
  };
}

type GiteaResponse = Awaited<ReturnType<Outbound['fetch']>>;

function parsed(body: string): unknown {
  if (body === '') return null;
  try {
    return toStorable(JSON.parse(body));
  } catch {
    throw new Error(
      'The code host answered with something that is not JSON. Is this the address of a Forgejo or Gitea?',
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
