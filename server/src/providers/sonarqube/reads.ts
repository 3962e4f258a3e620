import type { ProjectScan, ScannedProject, ScansQuery } from '../scanner-connector.ts';
import { readNumberedPages } from '../scanner-pages.ts';
import type { SonarClient } from './client.ts';
import { analysisPage, binding, branchList, componentPage, linkList, newestIssue, total } from './shapes.ts';

const PAGE_SIZE = 500;

/** The query of a list of projects: `TRK` are projects. */
const projectsQuery = ({ organization }: SonarClient, page: number, size: number) =>
  new URLSearchParams({
    qualifiers: 'TRK',
    p: String(page),
    ps: String(size),
    ...(organization !== undefined && { organization }),
  });

/** The number of projects that the token can browse. */
export async function countProjects(client: SonarClient): Promise<number> {
  const { data } = await client.api.get(`/api/components/search?${projectsQuery(client, 1, 1)}`, componentPage, {
    what: 'browse projects',
  });
  return data.paging.total;
}

export async function* listProjects(client: SonarClient): AsyncGenerator<ScannedProject[]> {
  const pages = readNumberedPages(client.api, {
    keyOf: ({ key }: { key: string; name?: string | null | undefined }) => key,
    read: async (page) => {
      const { data } = await client.api.get(
        `/api/components/search?${projectsQuery(client, page, PAGE_SIZE)}`,
        componentPage,
        { what: 'browse projects' },
      );
      return { items: data.components, total: data.paging.total };
    },
  });
  for await (const page of pages) {
    yield page.map(({ key, name }) => ({
      id: key,
      name: name ?? key,
      repoUrl: null,
      mainBranch: null,
      importedName: null,
    }));
  }
}

/**
 * The repository of a project: of its binding to a code host, or else its link of the type `scm`. Null without either,
 * or if the token may not read them.
 */
export async function repositoryOf({ api }: SonarClient, projectId: string): Promise<string | null> {
  const project = encodeURIComponent(projectId);
  const bound = await api.maybe(`/api/alm_settings/get_binding?project=${project}`, binding).catch(() => undefined);
  if (bound?.data.repositoryUrl) return bound.data.repositoryUrl;
  const links = await api.maybe(`/api/project_links/search?projectKey=${project}`, linkList).catch(() => undefined);
  const scm = links?.data.links.find(({ type }) => type === 'scm')?.url ?? null;
  if (scm !== null) return scm.replace(/^scm:git:/, '');
  return bound?.data.repository ?? null;
}

// More branches than this are not imported, the most recently analyzed first.
const MAX_BRANCHES = 50;

/**
 * The state of each branch: its newest analysis, and the newest change of an issue or a hotspot, since people change
 * them between analyses. Newest analysis first.
 */
export async function* listScans(client: SonarClient, query: ScansQuery): AsyncGenerator<ProjectScan> {
  const project = encodeURIComponent(query.projectId);
  const { data } = await client.api.get(`/api/project_branches/list?project=${project}`, branchList, {
    what: 'browse projects',
  });
  const [first, ...others] = data.branches;
  // The Community Build knows one branch, whose name need not be that of the repository.
  const isOnlyBranch = first?.isMain && others.length === 0;
  const analyzed = data.branches
    .flatMap((one) => (one.analysisDate ? [{ ...one, at: Date.parse(one.analysisDate) }] : []))
    .filter(({ name, at }) => !Number.isNaN(at) && [undefined, name].includes(isOnlyBranch ? undefined : query.branch))
    .sort((one, other) => other.at - one.at);
  for (const { name } of analyzed.slice(0, Math.min(query.most ?? MAX_BRANCHES, MAX_BRANCHES))) {
    const scan = await scanOf(client, query.projectId, isOnlyBranch ? null : name);
    if (scan) yield scan;
  }
}

async function scanOf({ api }: SonarClient, project: string, branch: string | null): Promise<ProjectScan | undefined> {
  const read = { what: 'browse projects' };
  const analyses = new URLSearchParams({ project, ...branchQuery(branch), ps: '1' });
  const { data } = await api.get(`/api/project_analyses/search?${analyses}`, analysisPage, read);
  const [analysis] = data.analyses;
  const analyzedAt = Date.parse(analysis?.date ?? '');
  if (!analysis || Number.isNaN(analyzedAt)) return undefined;
  const changed = new URLSearchParams({ ...issueFilter(project, branch), s: 'UPDATE_DATE', asc: 'false', ps: '1' });
  const { data: newest } = await api.get(`/api/issues/search?${changed}`, newestIssue, read);
  const changedAt = Date.parse(newest.issues[0]?.updateDate ?? '');
  const openHotspots = new URLSearchParams({
    projectKey: project,
    ...branchQuery(branch),
    status: 'TO_REVIEW',
    ps: '1',
  });
  const { data: hotspots } = await api.get(`/api/hotspots/search?${openHotspots}`, total, read);
  const revision = analysis.revision?.toLowerCase() ?? '';
  return {
    id: [analysis.key, newest.issues[0]?.updateDate ?? '', newest.paging.total, hotspots.paging.total].join(' '),
    createdAt: new Date(Number.isNaN(changedAt) ? analyzedAt : Math.max(analyzedAt, changedAt)),
    branch,
    commit: /^[0-9a-f]{40,64}$/.test(revision) ? revision : null,
    repoUrl: null,
    complete: true,
    incomplete: [],
    parts: { always: ['sast', 'iac', 'secret'], maybe: [] },
  };
}

/**
 * The filter of imported issues: vulnerabilities, also those that people dismissed. Bugs and code smells are no
 * weaknesses. `componentKeys` is accepted by every version; 10.2 prefers `components`.
 */
export const issueFilter = (project: string, branch: string | null) => ({
  componentKeys: project,
  ...branchQuery(branch),
  types: 'VULNERABILITY',
  statuses: 'OPEN,CONFIRMED,REOPENED,RESOLVED',
});

/** The query of a branch; null for the main branch. */
export const branchQuery = (branch: string | null): Record<string, string> => (branch === null ? {} : { branch });
