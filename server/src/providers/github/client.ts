import Bottleneck from 'bottleneck';
import { App, Octokit } from 'octokit';
import type { GithubConfig } from '#config.ts';
import { HostLimited } from '#providers/code-host.ts';
import { createHostBudgets, type HostBudget, requestsLeftIn } from '#providers/host-budget.ts';
import { storable } from '#providers/host-data.ts';
import { failureOf, longestWait } from './failures.ts';

export interface GithubAnswer {
  data: unknown;
  headers: Readonly<Record<string, string | number | undefined>>;
}

/** Asks GitHub as somebody: a route of its API (`GET /app`) and its parameters. Throws as CodeHost says. */
export type Ask = (route: string, parameters?: Record<string, unknown>) => Promise<GithubAnswer>;

export interface Clients {
  asApp: Ask;
  asInstallation: (installationId: string) => Ask;
  /** The same without trying again: somebody waits for the answer. */
  asInstallationOnce: (installationId: string) => Ask;
  /** The same for small questions of GraphQL: Octokit takes every POST for a change and lets one through in a second. */
  asInstallationOften: (installationId: string) => Ask;
  asUser: (token: string) => Ask;
  /** Without any token; takes whole addresses of the web host too. */
  asNobody: Ask;
}

const timeout = 30_000;
const mostRedirects = 3;
// The pauses between tries are 1 and 4 of these.
const retryMs = 300;
// GitHub allows 2000 of them a minute.
const questionMs = 30;

/** Octokit for one app: signed in as needed, with waits and retries, calling the two configured hosts only. */
export function createClients(config: GithubConfig): Clients {
  const throttle = { id: config.apiUrl, onRateLimit: waitsBriefly, onSecondaryRateLimit: waitsBriefly };
  const Client = Octokit.defaults({
    baseUrl: config.apiUrl,
    userAgent: 'sightline',
    request: { fetch: fetchFrom([config.apiUrl, config.url]) },
    // Not as `request.retries`: that would try everything again at once.
    retry: { retries: 2, retryAfterBaseValue: retryMs, doNotRetry: [304, 400, 401, 403, 404, 409, 410, 422, 429, 451] },
    throttle,
    // Octokit's own lines would go round our log and name addresses.
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const { appId, privateKey } = config;
  const app = new App({ appId, privateKey, Octokit: Client });
  const hasty = new App({ appId, privateKey, Octokit: Client.defaults({ retry: { enabled: false } }) });
  const write = new Bottleneck.Group({ minTime: questionMs });
  // GraphQL has a limit of its own.
  const budgets = createHostBudgets();
  const budgetOf = (id: string) => (route: string) => budgets(route.endsWith('/graphql') ? `${id} graphql` : id);
  const often = new App({ appId, privateKey, Octokit: Client.defaults({ throttle: { ...throttle, write } }) });
  return {
    asApp: asking(async () => app.octokit),
    asInstallation: (id) => asking(() => app.getInstallationOctokit(Number(id)), budgetOf(id)),
    asInstallationOnce: (id) => asking(() => hasty.getInstallationOctokit(Number(id)), budgetOf(id)),
    asInstallationOften: (id) => asking(() => often.getInstallationOctokit(Number(id)), budgetOf(id)),
    asUser: (token) => asking(async () => new Client({ auth: token })),
    asNobody: asking(async () => new Client()),
  };
}

type Requester = Pick<Octokit, 'request'>;

const asking =
  (clientOf: () => Promise<Requester>, budgetOf?: (route: string) => HostBudget): Ask =>
  async (route, parameters) => {
    const budget = budgetOf?.(route);
    budget?.spend();
    try {
      const { request } = await clientOf();
      const { data, headers } = await request(route, parameters);
      budget?.update(requestsLeftIn((name) => headers[name as keyof typeof headers], 'x-ratelimit-'));
      return { data: storable(data), headers };
    } catch (error) {
      const failure = failureOf(error);
      if (failure instanceof HostLimited) budget?.exhaust(failure.until);
      throw failure;
    }
  };

const silent = () => undefined;

const waitsBriefly = (seconds: number, _request: unknown, _octokit: unknown, retryCount: number) =>
  seconds <= longestWait && retryCount < 3;

// A Link header or a redirect must not carry a token to a host the operator did not name.
const fetchFrom = (bases: readonly string[]): typeof fetch => {
  const origins = new Set(bases.map((base) => new URL(base).origin));
  const call = async (address: string, init: RequestInit, redirects: number): Promise<Response> => {
    const { origin } = new URL(address);
    if (!origins.has(origin)) throw new Error(`GitHub redirected to ${origin}, which is not configured`);
    const response = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) });
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location');
    if (!location || init.method !== 'GET' || redirects >= mostRedirects) return response;
    await response.body?.cancel();
    return call(new URL(location, address).href, init, redirects + 1);
  };
  return (address, init = {}) => call(address instanceof Request ? address.url : String(address), init, 0);
};
