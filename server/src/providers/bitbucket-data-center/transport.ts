import type { Outbound } from '#core/outbound.ts';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { CredentialSource } from '#providers/connectable.ts';
import { createHostBudget, type HostBudget } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { requestHost, withinInstance } from '#providers/host-request.ts';
import { unreachable } from '#providers/host-unreachable.ts';

export interface DataCenterAnswer {
  data: unknown;
  /** The user of the request; null if the instance does not say. */
  userName: string | null;
}

export interface DataCenterRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

export interface DataCenterApi {
  /** Sends a request to a path below `/rest`. Throws the errors of CodeHost. */
  json: (path: string, question?: DataCenterRequest) => Promise<DataCenterAnswer>;
  /** The same for a response that is a file. HostRefused 413 above `size`, in bytes. */
  bytes: (path: string, question: DataCenterRequest & { size: number }) => Promise<Buffer>;
}

type ResponseLimits = NonNullable<Parameters<Outbound['fetch']>[3]>;

const timeout = 30_000;
const textLimits: ResponseLimits = { timeout, size: 24 * 1024 * 1024 };
const MAX_REDIRECTS = 3;

/** `baseURL`: the URL of the instance without a trailing slash. Requests are only sent to its origin. */
export function createDataCenterApi(
  outbound: Outbound,
  baseURL: string,
  credentials: CredentialSource,
  budget: HostBudget = createHostBudget(),
): DataCenterApi {
  const request = (
    url: string,
    token: string,
    { method = 'GET', body }: DataCenterRequest,
    limits: ResponseLimits,
  ): Promise<DataCenterResponse> => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, */*;q=0.5',
      'user-agent': 'sightline',
      // The instance rejects changes without a body as possibly forged.
      ...(method !== 'GET' && { 'x-atlassian-token': 'no-check' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return requestHost({
      budget,
      send: () =>
        outbound.fetch('baseURL', url, init, limits).catch((error: unknown) => {
          throw unreachable(baseURL, error);
        }),
      rateLimitPrefix: 'x-ratelimit-',
      isRepeatable: method === 'GET',
    });
  };

  const ask = async (
    url: string,
    question: DataCenterRequest,
    limits: ResponseLimits = textLimits,
    redirects = 0,
  ): Promise<DataCenterResponse> => {
    const token = await credentials();
    let sent = await request(url, token, question, limits);
    if (sent.status === 401 && userNameOf(sent) === null) {
      const other = await credentials(token);
      if (other !== token) sent = await request(url, other, question, limits);
    }
    const location = sent.status >= 300 && sent.status < 400 ? sent.headers.get('location') : null;
    if (location !== null && (question.method ?? 'GET') === 'GET' && redirects < MAX_REDIRECTS) {
      // A moved repository.
      return ask(withinInstance(baseURL, new URL(location, url).href), question, limits, redirects + 1);
    }
    if (sent.status >= 500) throw new HostFailed(`The code host answered ${sent.status}`);
    if (sent.status >= 300) throw refusalOf(sent);
    return sent;
  };

  const urlOf = (path: string, query: DataCenterRequest['query'] = {}): string => {
    const url = new URL(`${baseURL}/rest${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  };

  return {
    async json(path, question = {}) {
      const sent = await ask(urlOf(path, question.query), question);
      return { data: parsed(sent.body), userName: userNameOf(sent) };
    },
    async bytes(path, { size, ...question }) {
      const { bytes } = await ask(urlOf(path, question.query), question, { timeout, size: size + 1, cut: true });
      if (bytes.length > size) throw new HostRefused(413, `It is larger than ${Math.round(size / 1024 / 1024)} MB`);
      return bytes;
    },
  };
}

type DataCenterResponse = Awaited<ReturnType<Outbound['fetch']>>;

/** The user in a response. An instance serves an unknown token as an anonymous user, without this header. */
function userNameOf({ headers }: DataCenterResponse): string | null {
  const name = headers.get('x-ausername');
  if (!name || name === 'anonymous') return null;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** An instance answers 401 also for a missing permission; then it names the user, and the token is valid. */
function refusalOf(sent: DataCenterResponse): HostRefused {
  const status = sent.status === 401 && userNameOf(sent) !== null ? 403 : sent.status;
  return new HostRefused(status, `The code host answered ${sent.status}: ${refusalMessageIn(sent.body)}`);
}

function parsed(body: string): unknown {
  if (body === '') return null;
  try {
    return toStorable(JSON.parse(body));
  } catch {
    throw new Error(
      'The code host answered with something that is not JSON. Is this the address of a Bitbucket Data Center?',
    );
  }
}

/** The messages of a refusal, shortened. */
function refusalMessageIn(body: string): string {
  try {
    const { errors } = JSON.parse(body) as { errors?: { message?: unknown }[] };
    const messages = (errors ?? []).map(({ message }) => (typeof message === 'string' ? message : ''));
    return messages.join(' ').slice(0, 200);
  } catch {
    // The owner who entered the URL must not read responses of other services.
    return 'something that is not JSON';
  }
}
