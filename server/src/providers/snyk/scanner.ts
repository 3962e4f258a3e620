import type { z } from 'zod';
import type { Outbound } from '#core/outbound.ts';
import { openScannerApi, type ScannerApi } from '../scanner-api.ts';
import type {
  ScannedProject,
  ScannerConnector,
  ScannerDefinition,
  ScannerSession,
  ScanPart,
} from '../scanner-connector.ts';
import { createSnapshots } from '../scanner-snapshots.ts';
import { partOf, snykResultOf } from './results.ts';
import { issuePage, projectPage, type SnykIssue, type SnykProject } from './shapes.ts';

const API_VERSION = '2024-10-15';
const PAGE_SIZE = '100';

/** The REST API of Snyk with the token of one organization. https://docs.snyk.io/snyk-api */
const createSnyk = (outbound: Outbound, defaultURL: string, pause?: number): ScannerConnector => ({
  async open(connection, hurry = false) {
    const patience = { ...(hurry && { tries: 1 }), ...(pause !== undefined && { pause }) };
    const headers = { authorization: `token ${connection.apiKey}`, accept: 'application/vnd.api+json' };
    const api = await openScannerApi(outbound, { name: 'snyk', connection, defaultURL, headers, patience });
    return sessionOf(api, `/rest/orgs/${encodeURIComponent(connection.tenant)}`);
  },
});

function sessionOf(api: ScannerApi, organization: string): ScannerSession {
  const known = new Map<string, SnykProject>();
  const list = async function* () {
    for await (const page of listProjects(api, organization)) {
      for (const one of page) known.set(one.id, one);
      yield page;
    }
  };
  return {
    baseURL: api.baseURL,
    async countProjects() {
      let count = 0;
      for await (const page of list()) count += page.length;
      return count;
    },
    async *projects() {
      for await (const page of list()) yield page.map(projectOf);
    },
    repositoryOf: async () => null,
    webhooks: undefined,
    ...createSnapshots(async (projectId) => {
      // A sync of one project does not list them.
      if (known.size === 0) for await (const _ of list());
      const project = known.get(projectId);
      return project && snapshotOf(api, organization, project);
    }),
  };
}

async function* listProjects(api: ScannerApi, organization: string): AsyncGenerator<SnykProject[]> {
  const query = new URLSearchParams({ version: API_VERSION, limit: PAGE_SIZE, expand: 'target' });
  for await (const page of readLinkedPages(api, `${organization}/projects?${query}`, projectPage, 'view projects'))
    yield page.filter(({ attributes }) => attributes.status !== 'inactive');
}

interface LinkedPage<Item> {
  data: Item[];
  links?: { next?: string | null | undefined } | null | undefined;
}

/** Follows `links.next`. Throws if a page repeats only items of earlier ones, since others are then missing. */
async function* readLinkedPages<Item extends { id: string }>(
  api: ScannerApi,
  first: string,
  schema: z.ZodType<LinkedPage<Item>>,
  what: string,
): AsyncGenerator<Item[]> {
  const seen = new Set<string>();
  for (let path: string | undefined = first; path !== undefined; ) {
    const page: LinkedPage<Item> = (await api.get(path, schema, { what })).data;
    const fresh = page.data.filter(({ id }) => !seen.has(id));
    if (page.data.length > 0 && fresh.length === 0) throw api.problem('repeated a page of its list');
    for (const { id } of fresh) seen.add(id);
    if (fresh.length > 0) yield fresh;
    path = page.links?.next ? nextPath(api, page.links.next) : undefined;
  }
}

// A link is a path with or without `/rest`, or a URL of the same host; other hosts would receive the token.
function nextPath(api: ScannerApi, link: string): string {
  const base = new URL(api.baseURL);
  const url = new URL(link, base);
  if (url.origin !== base.origin) throw api.problem('links to another host');
  const path = url.pathname.startsWith(base.pathname)
    ? url.pathname.slice(base.pathname.replace(/\/$/, '').length)
    : url.pathname;
  return `${path.startsWith('/rest/') ? '' : '/rest'}${path}${url.search}`;
}

const projectOf = ({ id, attributes, relationships }: SnykProject): ScannedProject => {
  const target = relationships?.target.data.attributes;
  return {
    id,
    name: attributes.name ?? id,
    repoUrl: target?.url ?? null,
    mainBranch: attributes.target_reference ?? null,
    importedName: target?.display_name ?? attributes.name?.split(':')[0] ?? null,
  };
};

async function snapshotOf(api: ScannerApi, organization: string, { id, attributes }: SnykProject) {
  const part = partOf(attributes.type ?? '');
  const query = new URLSearchParams({
    version: API_VERSION,
    limit: PAGE_SIZE,
    'scan_item.id': id,
    'scan_item.type': 'project',
  });
  const context = { part, file: attributes.target_file ?? null, page: `https://app.snyk.io/org/-/project/${id}` };
  const issues: SnykIssue[] = [];
  for await (const page of readLinkedPages(api, `${organization}/issues?${query}`, issuePage, 'view issues'))
    issues.push(...page);
  // Licenses are no weaknesses.
  const results = issues
    .filter(({ attributes: { type } }) => type !== 'license')
    .map((issue) => ({ part, result: snykResultOf(issue, context) }));
  // Snyk tells no time of the scan.
  const at = new Date();
  return { branch: attributes.target_reference ?? null, commit: null, at, parts: [part], results };
}

// The names of the drivers in the SARIF of the Snyk CLI.
const tools: Partial<Record<ScanPart, { key: string; name: string }>> = {
  sast: { key: 'snykcode', name: 'SnykCode' },
  iac: { key: 'snyk iac', name: 'Snyk IaC' },
  container: { key: 'snyk container', name: 'Snyk Container' },
};

export const scanner: ScannerDefinition = {
  name: 'snyk',
  toolOf: (part) => ({ ...(tools[part] ?? { key: 'snyk open source', name: 'Snyk Open Source' }), version: null }),
  create: createSnyk,
};
