import type { z } from 'zod';
import { readNumberedPages } from '../scanner-pages.ts';
import type { SonarClient } from './client.ts';
import { branchQuery, issueFilter } from './reads.ts';
import { hotspotAnswer, hotspotPage, issuePage, type SonarHotspot, type SonarIssue } from './shapes.ts';

const PAGE_SIZE = 500;
// The API returns at most this many results of a query, and rejects later pages.
const MAX_RESULTS = 10_000;
const SECOND_MS = 1000;

/** The parts of a page that results refer to. */
interface PageContext {
  /** Paths by component key. */
  paths: ReadonlyMap<string, string>;
  /** Names and languages by rule key. */
  rules: ReadonlyMap<string, { name: string | null; language: string | null }>;
}

export interface IssuePage extends PageContext {
  issues: SonarIssue[];
}

/**
 * Reads all vulnerabilities of a branch. A query returns at most 10,000, so that more are read in spans of their creation
 * date, each half as long as the previous, and those created in the same second by severity.
 */
export async function* readIssues(
  client: SonarClient,
  project: string,
  branch: string | null,
): AsyncGenerator<IssuePage> {
  // Later issues belong to a later analysis.
  yield* readSpan(client, issueFilter(project, branch), { from: EARLIEST_MS, to: Date.now() + DAY_MS });
}

const EARLIEST_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

interface Span {
  /** Epoch milliseconds: inclusive, and exclusive. */
  from: number;
  to: number;
}

type Filter = Readonly<Record<string, string>>;

async function* readSpan(client: SonarClient, filter: Filter, span: Span | undefined): AsyncGenerator<IssuePage> {
  const limited = span ? { ...filter, createdAfter: timeText(span.from), createdBefore: timeText(span.to) } : filter;
  const count = await countIssues(client, limited);
  if (count === 0) return;
  if (count <= MAX_RESULTS) return yield* readQuery(client, limited);
  if (span === undefined) throw client.api.problem(tooMany);
  const middle = Math.floor((span.from + span.to) / 2 / SECOND_MS) * SECOND_MS;
  if (middle > span.from && middle < span.to) {
    yield* readSpan(client, filter, { from: span.from, to: middle });
    return yield* readSpan(client, filter, { from: middle, to: span.to });
  }
  yield* readBySeverity(client, limited, count);
}

const tooMany =
  'has more than 10,000 issues of one severity that were created in the same second, more than its API returns';

async function* readBySeverity(client: SonarClient, filter: Filter, count: number): AsyncGenerator<IssuePage> {
  let read = 0;
  for (const severities of ['INFO', 'MINOR', 'MAJOR', 'CRITICAL', 'BLOCKER']) {
    for await (const page of readSpan(client, { ...filter, severities }, undefined)) {
      read += page.issues.length;
      yield page;
    }
  }
  if (read < count) throw client.api.problem(`returned ${read} of ${count} issues by severity`);
}

// The API expects an offset without a colon.
const timeText = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+0000');

const pageQuery = (filter: Filter, page: number, size: number) =>
  new URLSearchParams({ ...filter, p: String(page), ps: String(size) });

async function countIssues({ api }: SonarClient, filter: Filter): Promise<number> {
  const { data } = await api.get(`/api/issues/search?${pageQuery(filter, 1, 1)}`, issuePage, reading);
  return data.paging.total;
}

const reading = { what: 'browse issues' };

// In the order of their creation, so that new ones do not move others to other pages.
async function* readQuery({ api }: SonarClient, filter: Filter): AsyncGenerator<IssuePage> {
  const ordered = { ...filter, s: 'CREATION_DATE', asc: 'true', additionalFields: 'rules,comments' };
  let context: PageContext = { paths: new Map(), rules: new Map() };
  const pages = readNumberedPages(api, {
    keyOf: ({ key }: SonarIssue) => key,
    read: async (page) => {
      const { data } = await api.get(`/api/issues/search?${pageQuery(ordered, page, PAGE_SIZE)}`, issuePage, reading);
      const rules = (data.rules ?? []).map(
        ({ key, name, langName }) => [key, { name: name ?? null, language: langName ?? null }] as const,
      );
      context = { paths: pathsOf(data.components), rules: new Map(rules) };
      return { items: data.issues, total: data.paging.total };
    },
  });
  for await (const issues of pages) yield { issues, ...context };
}

export interface HotspotPage extends Pick<PageContext, 'paths'> {
  hotspots: SonarHotspot[];
}

/** Reads all security hotspots of a branch, by status: each has at most 10,000. */
export async function* readHotspots(
  client: SonarClient,
  project: string,
  branch: string | null,
): AsyncGenerator<HotspotPage> {
  for (const status of ['TO_REVIEW', 'REVIEWED'])
    yield* readHotspotsOf(client, { projectKey: project, ...branchQuery(branch), status });
}

async function* readHotspotsOf({ api }: SonarClient, filter: Filter): AsyncGenerator<HotspotPage> {
  let paths: PageContext['paths'] = new Map();
  const pages = readNumberedPages(api, {
    keyOf: ({ key }: SonarHotspot) => key,
    read: async (page) => {
      const query = pageQuery(filter, page, PAGE_SIZE);
      const { data } = await api.get(`/api/hotspots/search?${query}`, hotspotPage, reading);
      if (data.paging.total > MAX_RESULTS)
        throw api.problem('has more than 10,000 security hotspots of one status, more than its API returns');
      paths = pathsOf(data.components);
      const items: SonarHotspot[] = [];
      for (const one of data.hotspots)
        items.push({ ...one, ruleKey: one.ruleKey ?? (await readRuleKey(api, one.key)) });
      return { items, total: data.paging.total };
    },
  });
  for await (const hotspots of pages) yield { hotspots, paths };
}

/** The rule of a hotspot, for versions whose list does not contain it. */
async function readRuleKey(api: SonarClient['api'], hotspot: string): Promise<string> {
  const query = new URLSearchParams({ hotspot });
  return (await api.get(`/api/hotspots/show?${query}`, hotspotAnswer, reading)).data.rule.key;
}

const pathsOf = (components: z.output<typeof hotspotPage>['components']): Map<string, string> =>
  new Map((components ?? []).flatMap(({ key, path }) => (path ? [[key, path] as const] : [])));
