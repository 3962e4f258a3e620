import { z } from 'zod';
import { type HostAlerts, HostRefused } from '#providers/code-host.ts';
import type { HostAlert } from '../host-facts.ts';
import {
  analyzedRefFrom,
  codeAlertFrom,
  dependencyAlertFrom,
  hasSecretLocation,
  secretAlertFrom,
} from './alert-shapes.ts';
import type { GithubAnswer, GithubApi } from './client.ts';
import { inRepositoryOf, linkUrlOf, readPages } from './reads.ts';

const PER_PAGE = 100;
const MAX_ANALYSIS_PAGES = 10;
const listSchema = z.array(z.unknown());
const numberSchema = z.object({ number: z.number().int() });
const ruleSchema = z.object({
  rule: z.looseObject({ id: z.string().nullish() }),
  tool: z.looseObject({ name: z.unknown() }),
});

export function createAlertReader(apiFor: (id: string) => GithubApi): HostAlerts {
  const inRepository = inRepositoryOf(apiFor);

  return {
    async listAnalyzedRefs(repository) {
      const pages = readPages(inRepository(repository), 'GET /repos/{owner}/{repo}/code-scanning/analyses');
      const refs = new Set<string>();
      let read = 0;
      for await (const { data } of pages) {
        for (const item of listSchema.parse(data)) refs.add(analyzedRefFrom(item).ref);
        read += 1;
        if (read === MAX_ANALYSIS_PAGES) break;
      }
      return [...refs];
    },

    async *listCodeAlerts(repository, gitRef) {
      const request = inRepository(repository);
      const rules = new Map<string, unknown>();
      const pages = readPages(request, 'GET /repos/{owner}/{repo}/code-scanning/alerts', { ref: gitRef });
      for await (const { data } of pages) {
        const alerts: HostAlert[] = [];
        for (const item of listSchema.parse(data)) {
          const alert = codeAlertFrom(await withRule(request, item, rules));
          if (alert) alerts.push(alert);
        }
        yield alerts;
      }
    },

    async *listAlerts(repository, kind) {
      const request = inRepository(repository);
      if (kind === 'dependabot') {
        for await (const { data } of readByCursor(request, 'GET /repos/{owner}/{repo}/dependabot/alerts')) {
          yield listSchema.parse(data).map(dependencyAlertFrom);
        }
        return;
      }
      for await (const { data } of readPages(
        request,
        'GET /repos/{owner}/{repo}/secret-scanning/alerts',
        hideSecretParameters,
      )) {
        const alerts: HostAlert[] = [];
        for (const item of listSchema.parse(data)) alerts.push(await readSecretAlert(request, item));
        yield alerts;
      }
    },

    async hasBranch(repository, branch) {
      try {
        await inRepository(repository)('GET /repos/{owner}/{repo}/branches/{branch}', { branch });
        return true;
      } catch (error) {
        if (error instanceof HostRefused && error.status === 404) return false;
        throw error;
      }
    },

    async getAlert(repository, kind, number, gitRef) {
      const request = inRepository(repository);
      if (kind === 'dependabot') {
        const { data } = await request('GET /repos/{owner}/{repo}/dependabot/alerts/{number}', { number });
        return dependencyAlertFrom(data);
      }
      if (kind === 'secret_scanning') {
        const { data } = await request('GET /repos/{owner}/{repo}/secret-scanning/alerts/{number}', {
          number,
          ...hideSecretParameters,
        });
        return readSecretAlert(request, data);
      }
      const { data } = await request('GET /repos/{owner}/{repo}/code-scanning/alerts/{number}', { number });
      const instances = await request('GET /repos/{owner}/{repo}/code-scanning/alerts/{number}/instances', {
        number,
        ref: gitRef,
        per_page: 1,
      });
      const [instance] = listSchema.parse(instances.data);
      return instance === undefined ? undefined : codeAlertFrom(data, instance);
    },
  };
}

/** A parameter of every request: without it the response contains the secrets. */
const hideSecretParameters = { hide_secret: true };

// Lists omit the long texts of rules, so that one complete alert is read per rule.
async function withRule(request: GithubApi, item: unknown, rules: Map<string, unknown>): Promise<unknown> {
  const { rule, tool } = ruleSchema.parse(item);
  const key = JSON.stringify([tool.name, rule.id]);
  if (!rules.has(key)) {
    const { number } = numberSchema.parse(item);
    const { data } = await request('GET /repos/{owner}/{repo}/code-scanning/alerts/{number}', { number });
    rules.set(key, ruleSchema.parse(data).rule);
  }
  return { ...(item as object), rule: rules.get(key) };
}

// Secrets in issues or wikis have no location in a file.
async function readSecretAlert(request: GithubApi, item: unknown): Promise<HostAlert> {
  if (hasSecretLocation(item)) return secretAlertFrom(item);
  const { number } = numberSchema.parse(item);
  const route = 'GET /repos/{owner}/{repo}/secret-scanning/alerts/{number}/locations';
  try {
    const { data } = await request(route, { number, per_page: PER_PAGE });
    const found = locationsSchema.parse(data).find(({ type }) => type === 'commit');
    return secretAlertFrom(item, found?.details);
  } catch (error) {
    if (error instanceof HostRefused) return secretAlertFrom(item);
    throw error;
  }
}

const locationsSchema = z.array(z.object({ type: z.string(), details: z.unknown() }));

/** Reads all pages of a list with cursors. */
async function* readByCursor(request: GithubApi, route: string): AsyncGenerator<GithubAnswer> {
  for (let after: string | null | undefined; after !== null; ) {
    const answer: GithubAnswer = await request(route, { per_page: PER_PAGE, ...(after !== undefined && { after }) });
    yield answer;
    after = linkUrlOf(answer.headers, 'next')?.searchParams.get('after') ?? null;
  }
}
