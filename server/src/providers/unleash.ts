import { flagNames } from '@sightline/contract/core/flags.ts';
import { type FlagUsage, listFeatureFlags, type Toggle } from '@sightline/contract/identity/feature-flags.ts';
import { fetch } from 'undici';
import type { UnleashConfig } from '#config.ts';
import { waitAtMost } from '#core/time-limit.ts';
import type { FlagSubject } from './flag-subject.ts';

export interface Unleash {
  /** What is on for a subject; the last good answer while it does not answer, undefined while there is none. */
  listOn: (subject: FlagSubject | undefined) => Promise<Toggle[] | undefined>;
  passOn: (usage: FlagUsage) => Promise<void>;
}

/** Milliseconds. A request waits at most `patience` for Unleash, which has `timeout` to answer. */
const freshFor = 15_000;
const patience = 1_500;
const timeout = 5_000;

interface CachedToggles {
  askedAt: number;
  asking?: Promise<void> | undefined;
  toggles?: Toggle[];
  etag?: string;
}

/** A real Unleash, asked in the name of each account and organization, with answers kept for 15 seconds. */
export function createUnleash(config: UnleashConfig, warn: (problem: string) => void): Unleash {
  const known = new Map<string, CachedToggles>();
  let trouble: string | undefined;
  const notice = (problem: string | undefined) => {
    // Once, not at every request.
    if (problem !== undefined && problem !== trouble) warn(problem);
    trouble = problem;
  };

  async function refresh(subject: FlagSubject | undefined, entry: CachedToggles): Promise<void> {
    try {
      const answer = await askUnleash(config, subject, entry.etag);
      if (answer) Object.assign(entry, answer);
      notice(undefined);
    } catch (error) {
      notice((error as Error).message);
    }
  }

  return {
    async listOn(subject) {
      const key = `${subject?.accountId} ${subject?.orgId}`;
      const entry = known.get(key) ?? { askedAt: 0 };
      known.delete(key);
      known.set(key, entry);
      forgetOldest(known);
      if (Date.now() - entry.askedAt > freshFor) {
        entry.askedAt = Date.now();
        entry.asking = refresh(subject, entry).finally(() => {
          entry.asking = undefined;
        });
      }
      if (entry.asking) await waitAtMost(patience, entry.asking);
      return entry.toggles;
    },
    async passOn({ bucket, appName, instanceId }) {
      const toggles = Object.fromEntries(Object.entries(bucket.toggles).filter(([name]) => isOurs(name)));
      const body = { appName, instanceId: instanceId ?? 'browser', bucket: { ...bucket, toggles } };
      await send(config, '/client/metrics', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }).catch((error: Error) => notice(error.message));
    },
  };
}

/** One question. Undefined when nothing changed since `etag`; throws an Error in words for operators. */
export async function askUnleash(
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
  const response = await fetch(`${config.url}/api/frontend${path}`, {
    ...init,
    headers: { authorization: config.token, accept: 'application/json', ...init.headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
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
