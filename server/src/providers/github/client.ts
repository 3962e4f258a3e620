import Bottleneck from 'bottleneck';
import { App, Octokit } from 'octokit';
import type { GithubConfig } from '#config.ts';
import { HostLimited } from '#providers/code-host.ts';
import { createHostBudgets, type HostBudget, rateLimitFrom } from '#providers/host-budget.ts';
import { toStorable } from '#providers/host-data.ts';
import { githubFailureFrom, LONGEST_WAIT_SECONDS } from './failures.ts';

export interface GithubAnswer {
  data: unknown;
  headers: Readonly<Record<string, string | number | undefined>>;
}

/** Sends an authenticated request: a route of the API (`GET /app`) with parameters. Throws the errors of CodeHost. */
export type GithubApi = (route: string, parameters?: Record<string, unknown>) => Promise<GithubAnswer>;

export interface GithubClients {
  asApp: GithubApi;
  asInstallation: (installationId: string) => GithubApi;
  /** Without retries, for interactive requests. */
  asInstallationOnce: (installationId: string) => GithubApi;
  /** For small GraphQL queries: Octokit treats every POST as a change and limits those to one per second. */
  asInstallationOften: (installationId: string) => GithubApi;
  asUser: (token: string) => GithubApi;
  /** Without a token. Accepts full URLs of the web host too. */
  asNobody: GithubApi;
}

const timeout = 30_000;
const MAX_REDIRECTS = 3;
// The pauses between attempts are 1 and 4 times this.
const WAIT_MS = 300;
// GitHub allows 2000 queries per minute.
const QUERY_INTERVAL_MS = 30;

/** Octokit clients of one app, with rate limiting and retries. They call only the two configured hosts. */
export function createClients(config: GithubConfig): GithubClients {
  const { Client, throttle } = clientOf(config);
  const { appId, privateKey } = config;
  const app = new App({ appId, privateKey, Octokit: Client });
  const withoutRetries = new App({ appId, privateKey, Octokit: Client.defaults({ retry: { enabled: false } }) });
  const write = new Bottleneck.Group({ minTime: QUERY_INTERVAL_MS });
  // GraphQL has a separate rate limit.
  const budgets = createHostBudgets();
  const budgetOf = (id: string) => (route: string) => budgets(route.endsWith('/graphql') ? `${id} graphql` : id);
  const unthrottled = new App({ appId, privateKey, Octokit: Client.defaults({ throttle: { ...throttle, write } }) });
  return {
    asApp: requester(async () => app.octokit),
    asInstallation: (id) => requester(() => app.getInstallationOctokit(Number(id)), budgetOf(id)),
    asInstallationOnce: (id) => requester(() => withoutRetries.getInstallationOctokit(Number(id)), budgetOf(id)),
    asInstallationOften: (id) => requester(() => unthrottled.getInstallationOctokit(Number(id)), budgetOf(id)),
    asUser: (token) => requester(async () => new Client({ auth: token })),
    asNobody: requester(async () => new Client()),
  };
}

/** Sends requests with a token that belongs to no app, such as the personal one of an auditor. */
export function createGithubTokenApi(addresses: Pick<GithubConfig, 'apiUrl' | 'url'>, token: string): GithubApi {
  const { Client } = clientOf(addresses);
  return requester(async () => new Client({ auth: token }));
}

function clientOf({ apiUrl, url }: Pick<GithubConfig, 'apiUrl' | 'url'>) {
  const throttle = { id: apiUrl, onRateLimit: waitsBriefly, onSecondaryRateLimit: waitsBriefly };
  const Client = Octokit.defaults({
    baseUrl: apiUrl,
    userAgent: 'sightline',
    request: { fetch: fetchFrom([apiUrl, url]) },
    // Not as `request.retries`, which would retry every request without a pause.
    retry: { retries: 2, retryAfterBaseValue: WAIT_MS, doNotRetry: [304, 400, 401, 403, 404, 409, 410, 422, 429, 451] },
    throttle,
    // The messages of Octokit would bypass our log and contain URLs.
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  return { Client, throttle };
}

type Requester = Pick<Octokit, 'request'>;

const requester =
  (clientOf: () => Promise<Requester>, budgetOf?: (route: string) => HostBudget): GithubApi =>
  async (route, parameters) => {
    const budget = budgetOf?.(route);
    budget?.spend();
    try {
      const { request } = await clientOf();
      const { data, headers } = await request(route, parameters);
      budget?.update(rateLimitFrom((name) => headers[name as keyof typeof headers], 'x-ratelimit-'));
      return { data: toStorable(data), headers };
    } catch (error) {
      const failure = githubFailureFrom(error);
      if (failure instanceof HostLimited) budget?.exhaust(failure.until);
      throw failure;
    }
  };

const silent = () => undefined;

const waitsBriefly = (seconds: number, _request: unknown, _octokit: unknown, retryCount: number) =>
  seconds <= LONGEST_WAIT_SECONDS && retryCount < 3;

// A Link header or a redirect must not send a token to a host that is not configured.
const fetchFrom = (bases: readonly string[]): typeof fetch => {
  const origins = new Set(bases.map((base) => new URL(base).origin));
  const call = async (address: string, init: RequestInit, redirects: number): Promise<Response> => {
    const { origin } = new URL(address);
    if (!origins.has(origin)) throw new Error(`GitHub redirected to ${origin}, which is not configured`);
    const response = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) });
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location');
    if (!location || init.method !== 'GET' || redirects >= MAX_REDIRECTS) return response;
    await response.body?.cancel();
    return call(new URL(location, address).href, init, redirects + 1);
  };
  return (address, init = {}) => call(address instanceof Request ? address.url : String(address), init, 0);
};
