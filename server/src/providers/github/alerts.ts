import { z } from 'zod';
import { type HostAlerts, HostRefused } from '#providers/code-host.ts';
import type { HostAlert } from '../host-facts.ts';
import {
  analysedRefFrom,
  codeAlertFrom,
  dependencyAlertFrom,
  hasSecretLocation,
  secretAlertFrom,
} from './alert-shapes.ts';
import type { GithubAnswer, GithubApi } from './client.ts';
import { inRepositoryOf, linkUrlOf, readPages } from './reads.ts';

const perPage = 100;
const MAX_ANALYSIS_PAGES = 10;
const list = z.array(z.unknown());
const numbered = z.object({ number: z.number().int() });
const ruleOf = z.object({
  rule: z.looseObject({ id: z.string().nullish() }),
  tool: z.looseObject({ name: z.unknown() }),
});

export function createAlerts(asInstallation: (id: string) => GithubApi): HostAlerts {
  const inRepository = inRepositoryOf(asInstallation);

  return {
    async listAnalysedRefs(ref) {
      const pages = readPages(inRepository(ref), 'GET /repos/{owner}/{repo}/code-scanning/analyses');
      const refs = new Set<string>();
      let read = 0;
      for await (const { data } of pages) {
        for (const item of list.parse(data)) refs.add(analysedRefFrom(item).ref);
        read += 1;
        if (read === MAX_ANALYSIS_PAGES) break;
      }
      return [...refs];
    },

    async *listCodeAlerts(ref, gitRef) {
      const ask = inRepository(ref);
      const rules = new Map<string, unknown>();
      const pages = readPages(ask, 'GET /repos/{owner}/{repo}/code-scanning/alerts', { ref: gitRef });
      for await (const { data } of pages) {
        const alerts: HostAlert[] = [];
        for (const item of list.parse(data)) {
          const alert = codeAlertFrom(await withRule(ask, item, rules));
          if (alert) alerts.push(alert);
        }
        yield alerts;
      }
    },

    async *listAlerts(ref, kind) {
      const ask = inRepository(ref);
      if (kind === 'dependabot') {
        for await (const { data } of readByCursor(ask, 'GET /repos/{owner}/{repo}/dependabot/alerts')) {
          yield list.parse(data).map(dependencyAlertFrom);
        }
        return;
      }
      for await (const { data } of readPages(ask, 'GET /repos/{owner}/{repo}/secret-scanning/alerts', masked)) {
        const alerts: HostAlert[] = [];
        for (const item of list.parse(data)) alerts.push(await locatedSecret(ask, item));
        yield alerts;
      }
    },

    async hasBranch(ref, branch) {
      try {
        await inRepository(ref)('GET /repos/{owner}/{repo}/branches/{branch}', { branch });
        return true;
      } catch (error) {
        if (error instanceof HostRefused && error.status === 404) return false;
        throw error;
      }
    },

    async getAlert(ref, kind, number, gitRef) {
      const ask = inRepository(ref);
      if (kind === 'dependabot') {
        const { data } = await ask('GET /repos/{owner}/{repo}/dependabot/alerts/{number}', { number });
        return dependencyAlertFrom(data);
      }
      if (kind === 'secret_scanning') {
        const { data } = await ask('GET /repos/{owner}/{repo}/secret-scanning/alerts/{number}', { number, ...masked });
        return locatedSecret(ask, data);
      }
      const { data } = await ask('GET /repos/{owner}/{repo}/code-scanning/alerts/{number}', { number });
      const instances = await ask('GET /repos/{owner}/{repo}/code-scanning/alerts/{number}/instances', {
        number,
        ref: gitRef,
        per_page: 1,
      });
      const [seen] = list.parse(instances.data);
      return seen === undefined ? undefined : codeAlertFrom(data, seen);
    },
  };
}

/** A parameter of every request: without it the response contains the secrets. */
const masked = { hide_secret: true };

// Lists omit the long texts of rules, so that one complete alert is read per rule.
async function withRule(ask: GithubApi, item: unknown, rules: Map<string, unknown>): Promise<unknown> {
  const { rule, tool } = ruleOf.parse(item);
  const key = JSON.stringify([tool.name, rule.id]);
  if (!rules.has(key)) {
    const { number } = numbered.parse(item);
    const { data } = await ask('GET /repos/{owner}/{repo}/code-scanning/alerts/{number}', { number });
    rules.set(key, ruleOf.parse(data).rule);
  }
  return { ...(item as object), rule: rules.get(key) };
}

// Secrets in issues or wikis have no location in a file.
async function locatedSecret(ask: GithubApi, item: unknown): Promise<HostAlert> {
  if (hasSecretLocation(item)) return secretAlertFrom(item);
  const { number } = numbered.parse(item);
  const route = 'GET /repos/{owner}/{repo}/secret-scanning/alerts/{number}/locations';
  try {
    const { data } = await ask(route, { number, per_page: perPage });
    const found = locations.parse(data).find(({ type }) => type === 'commit');
    return secretAlertFrom(item, found?.details);
  } catch (error) {
    if (error instanceof HostRefused) return secretAlertFrom(item);
    throw error;
  }
}

const locations = z.array(z.object({ type: z.string(), details: z.unknown() }));

/** Reads all pages of a list with cursors. */
async function* readByCursor(ask: GithubApi, route: string): AsyncGenerator<GithubAnswer> {
  for (let after: string | null | undefined; after !== null; ) {
    const answer: GithubAnswer = await ask(route, { per_page: perPage, ...(after !== undefined && { after }) });
    yield answer;
    after = linkUrlOf(answer.headers, 'next')?.searchParams.get('after') ?? null;
  }
}
