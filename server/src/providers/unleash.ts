import { flagNames } from '@sightline/contract/core/flags.ts';
import { type FlagUsage, listFeatureFlags, type Toggle } from '@sightline/contract/identity/feature-flags.ts';
import type { UnleashConfig } from '#config.ts';
import { waitAtMost } from '#core/time-limit.ts';
import type { FlagSubject } from './flag-subject.ts';

export interface Unleash {
  /** The enabled flags of a subject. During failures the last successful response; undefined without one. */
  listOn: (subject: FlagSubject | undefined) => Promise<Toggle[] | undefined>;
  passOn: (usage: FlagUsage) => Promise<void>;
}

/** A query waits at most `QUERY_WAIT_MS` for a refresh, which may take `TIMEOUT_MS`. */
const CACHE_MS = 15_000;
const QUERY_WAIT_MS = 1_500;
const TIMEOUT_MS = 5_000;

interface CachedToggles {
  requestedAt: number;
  refreshing?: Promise<void> | undefined;
  toggles?: Toggle[];
  etag?: string;
}

/** A client of a connected Unleash. Caches responses per account and organization for 15 seconds. */
export function createUnleash(config: UnleashConfig, warn: (problem: string) => void): Unleash {
  const known = new Map<string, CachedToggles>();
  let lastProblem: string | undefined;
  const reportProblem = (problem: string | undefined) => {
    // Warns once, not on every request.
    if (problem !== undefined && problem !== lastProblem) warn(problem);
    lastProblem = problem;
  };

  async function refresh(subject: FlagSubject | undefined, entry: CachedToggles): Promise<void> {
    try {
      const answer = await requestUnleashFlags(config, subject, entry.etag);
      if (answer) Object.assign(entry, answer);
      reportProblem(undefined);
    } catch (error) {
      reportProblem((error as Error).message);
    }
  }

  return {
    async listOn(subject) {
      const key = `${subject?.accountId} ${subject?.orgId}`;
      const entry = known.get(key) ?? { requestedAt: 0 };
      known.delete(key);
      known.set(key, entry);
      forgetOldest(known);
      if (Date.now() - entry.requestedAt > CACHE_MS) {
        entry.requestedAt = Date.now();
        entry.refreshing = refresh(subject, entry).finally(() => {
          entry.refreshing = undefined;
        });
      }
      if (entry.refreshing) await waitAtMost(QUERY_WAIT_MS, entry.refreshing);
      return entry.toggles;
    },
    async passOn({ bucket, appName, instanceId }) {
      const toggles = Object.fromEntries(Object.entries(bucket.toggles).filter(([name]) => isOurs(name)));
      const body = { appName, instanceId: instanceId ?? 'browser', bucket: { ...bucket, toggles } };
      await send(config, '/client/metrics', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }).catch((error: Error) => reportProblem(error.message));
    },
  };
}

/** Requests the enabled flags. Undefined if unchanged since `etag`. Throws an Error with a message for operators. */
export async function requestUnleashFlags(
  config: UnleashConfig,
  subject?: FlagSubject,
  etag?: string,
): Promise<{ toggles: Toggle[]; etag?: string } | undefined> {
  const context = new URLSearchParams({ appName: 'sightline' });
  if (subject) context.set('userId', subject.accountId);
  if (subject?.orgId !== undefined) context.set('properties[orgId]', subject.orgId);
  const headers = { ...(etag !== undefined && { 'if-none-match': etag }) };
  const response = await send(config, `?${context}`, { headers });
  if (response.status === 304) return undefined;
  const read = listFeatureFlags.response.safeParse(await response.json().catch(() => undefined));
  if (!read.success) throw new Error(`${config.url} does not answer as Unleash's frontend API does`);
  const next = response.headers.get('etag');
  return { toggles: read.data.toggles.filter(({ name }) => isOurs(name)), ...(next !== null && { etag: next }) };
}

async function send(config: UnleashConfig, path: string, init: { method?: string; body?: string; headers: object }) {
  const { fetch } = await import('undici');
  const response = await fetch(`${config.url}/api/frontend${path}`, {
    ...init,
    headers: { authorization: config.token, accept: 'application/json', ...init.headers },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    const { cause } = error as { cause?: { code?: string; message?: string } };
    throw new Error(`Unleash at ${config.url} does not answer (${cause?.code ?? cause?.message ?? error.name})`);
  });
  if (response.ok || response.status === 304) return response;
  throw new Error(
    response.status === 401 || response.status === 403
      ? `Unleash at ${config.url} does not take UNLEASH_FRONTEND_TOKEN (${response.status})`
      : `Unleash at ${config.url} answers ${response.status}`,
  );
}

const isOurs = (name: string) => flagNames.some((known) => known === name);

function forgetOldest(known: Map<string, CachedToggles>): void {
  if (known.size <= 10_000) return;
  for (const key of known.keys()) {
    known.delete(key);
    return;
  }
}
