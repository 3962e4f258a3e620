import { z } from 'zod';
import type { Outbound } from '#core/outbound.ts';
import { openScannerApi, type ScannerApi } from '../scanner-api.ts';
import type { ScannedProject, ScannerConnector, ScannerDefinition, ScannerSession } from '../scanner-connector.ts';
import { readNumberedPages } from '../scanner-pages.ts';
import { createSnapshots } from '../scanner-snapshots.ts';
import { trackedResultOf } from './results.ts';
import { findingList, projectList, projectTimes, type TrackedProject } from './shapes.ts';

const PAGE_SIZE = 100;

/** The API of a Dependency-Track server. https://docs.dependencytrack.org/integrations/rest-api */
const createDependencyTrack = (outbound: Outbound, defaultURL: string, pause?: number): ScannerConnector => ({
  async open(connection, hurry = false) {
    const patience = { ...(hurry && { tries: 1 }), ...(pause !== undefined && { pause }) };
    const headers = { 'x-api-key': connection.apiKey };
    return sessionOf(
      await openScannerApi(outbound, { name: 'dependency-track', connection, defaultURL, headers, patience }),
    );
  },
});

const sessionOf = (api: ScannerApi): ScannerSession => ({
  baseURL: api.baseURL,
  countProjects: async () => (await readProjects(api, 1, 1)).total,
  projects: () => listProjects(api),
  repositoryOf: async () => null,
  webhooks: undefined,
  ...createSnapshots((projectId) => snapshotOf(api, projectId)),
});

const viewing = { what: 'view the portfolio' };

async function readProjects(api: ScannerApi, page: number, size: number) {
  const query = new URLSearchParams({ excludeInactive: 'true', pageNumber: String(page), pageSize: String(size) });
  const { data, header } = await api.get(`/api/v1/project?${query}`, projectList, viewing);
  return { items: data, total: totalOf(api, header('x-total-count')) };
}

function totalOf(api: ScannerApi, header: string | null): number {
  const total = Number(header ?? Number.NaN);
  // Without a total, the first page would count as the entire list.
  if (!Number.isSafeInteger(total) || total < 0) throw api.problem('does not report the length of its list');
  return total;
}

/** Lists projects. Of the versions of a project, those that are not marked as the latest are omitted if one is. */
async function* listProjects(api: ScannerApi): AsyncGenerator<ScannedProject[]> {
  const all: TrackedProject[] = [];
  const pages = readNumberedPages(api, {
    keyOf: ({ uuid }: TrackedProject) => uuid,
    read: (page) => readProjects(api, page, PAGE_SIZE),
  });
  for await (const page of pages) all.push(...page);
  const latest = new Set(all.flatMap(({ name, isLatest }) => (isLatest ? [name] : [])));
  yield all.filter(({ name, isLatest }) => isLatest || !latest.has(name)).map(projectOf);
}

const projectOf = ({ uuid, name, version, externalReferences }: TrackedProject): ScannedProject => ({
  id: uuid,
  name: [name ?? uuid, version].filter(Boolean).join(' '),
  repoUrl: externalReferences?.find(({ type }) => type?.toLowerCase() === 'vcs')?.url ?? null,
  mainBranch: null,
  importedName: name ?? null,
});

/** All findings of a project with suppressed ones. Findings belong to the main branch: a version is no branch. */
async function snapshotOf(api: ScannerApi, projectId: string) {
  const id = encodeURIComponent(projectId);
  const project = await api.maybe(`/api/v1/project/${id}`, projectTimes, viewing);
  const { lastBomImport, lastVulnerabilityAnalysis } = project?.data ?? {};
  // Without a bill of materials there is nothing to analyze.
  if (lastBomImport == null) return undefined;
  const { data, header } = await api.get(`/api/v1/finding/project/${id}?suppressed=true`, findingList, {
    what: 'view vulnerabilities',
  });
  const total = z.coerce.number().safeParse(header('x-total-count')).data ?? data.length;
  if (data.length < total) throw api.problem(`returned ${data.length} of ${total} findings`);
  const results = data.map((finding) => ({ part: 'sca' as const, result: trackedResultOf(finding, api.baseURL) }));
  const at = new Date(Math.max(lastBomImport, lastVulnerabilityAnalysis ?? 0));
  return { branch: null, commit: null, at, parts: ['sca' as const], results };
}

export const scanner: ScannerDefinition = {
  name: 'dependency-track',
  toolOf: () => ({ key: 'owasp dependency-track', name: 'OWASP Dependency-Track', version: null }),
  create: createDependencyTrack,
};
