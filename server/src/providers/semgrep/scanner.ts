import type { Outbound } from '#core/outbound.ts';
import { openScannerApi, type ScannerApi } from '../scanner-api.ts';
import {
  type PartResult,
  type ScannedProject,
  type ScannerConnector,
  type ScannerDefinition,
  ScannerProblem,
  type ScannerSession,
} from '../scanner-connector.ts';
import { readUncountedPages } from '../scanner-pages.ts';
import { createSnapshots } from '../scanner-snapshots.ts';
import { semgrepResultOf } from './results.ts';
import { deploymentList, findingPage, projectPage, type SemgrepFinding, type SemgrepProject } from './shapes.ts';

const PAGE_SIZE = 500;
// Where a project is in the list, for the reads of its findings.
type Projects = Map<string, SemgrepProject>;

/** Semgrep AppSec Platform with the token of one deployment. https://semgrep.dev/api/v1/docs */
const createSemgrep = (outbound: Outbound, defaultURL: string, pause?: number): ScannerConnector => ({
  async open(connection, hurry = false) {
    const patience = { ...(hurry && { tries: 1 }), ...(pause !== undefined && { pause }) };
    const headers = { authorization: `Bearer ${connection.apiKey}` };
    const api = await openScannerApi(outbound, { name: 'semgrep', connection, defaultURL, headers, patience });
    const { data } = await api.get('/api/v1/deployments', deploymentList, reading);
    const slug = connection.tenant || data.deployments[0]?.slug;
    if (slug === undefined || !data.deployments.some((one) => one.slug === slug)) {
      const message = `The token has access to no deployment “${connection.tenant}”. Copy its slug from Settings, Deployment.`;
      throw new ScannerProblem('wrong_tenant', 'tenant', message);
    }
    return sessionOf(api, `/api/v1/deployments/${encodeURIComponent(slug)}`);
  },
});

const reading = { what: 'use the Web API' };

function sessionOf(api: ScannerApi, deployment: string): ScannerSession {
  const known: Projects = new Map();
  return {
    baseURL: api.baseURL,
    async countProjects() {
      let count = 0;
      for await (const page of listProjects(api, deployment)) count += page.length;
      return count;
    },
    async *projects() {
      for await (const page of listProjects(api, deployment)) {
        for (const one of page) known.set(one.id, one);
        yield page.map(projectOf);
      }
    },
    repositoryOf: async () => null,
    webhooks: undefined,
    ...createSnapshots(async (projectId) => {
      // A sync of one project does not list them.
      if (known.size === 0)
        for await (const page of listProjects(api, deployment)) for (const one of page) known.set(one.id, one);
      const project = known.get(projectId);
      return project && snapshotOf(api, deployment, project);
    }),
  };
}

const listProjects = (api: ScannerApi, deployment: string) =>
  readUncountedPages(api, {
    first: 0,
    keyOf: ({ id }: SemgrepProject) => id,
    read: async (page) =>
      (await api.get(`${deployment}/projects?page=${page}&page_size=${PAGE_SIZE}`, projectPage, reading)).data.projects,
  });

const projectOf = ({ id, name, url, primary_branch, default_branch }: SemgrepProject): ScannedProject => ({
  id,
  name,
  repoUrl: url ?? null,
  mainBranch: branchOf(primary_branch ?? default_branch),
  importedName: name,
});

const branchOf = (ref: string | null | undefined): string | null => ref?.replace(/^refs\/heads\//, '') || null;

/**
 * The findings of the primary branch, of Code and of Supply Chain. Findings that Semgrep lists as fixed stay in the list
 * and close those here. Without `dedup`, the list has findings of other branches.
 */
async function snapshotOf(api: ScannerApi, deployment: string, project: SemgrepProject) {
  const at = Date.parse(project.latest_scan_at ?? '');
  if (Number.isNaN(at)) return undefined;
  const results: PartResult[] = [];
  for (const type of ['sast', 'sca'] as const) {
    const pages = readUncountedPages(api, {
      first: 0,
      keyOf: ({ id }: SemgrepFinding) => id,
      read: async (page) => {
        const query = new URLSearchParams({
          issue_type: type,
          repos: project.name,
          ref: '_default',
          dedup: 'true',
          page: String(page),
          page_size: String(PAGE_SIZE),
        });
        return (await api.get(`${deployment}/findings?${query}`, findingPage, reading)).data.findings;
      },
    });
    for await (const page of pages) results.push(...page.map((one) => ({ part: type, result: semgrepResultOf(one) })));
  }
  const branch = branchOf(project.primary_branch ?? project.default_branch);
  return { branch, commit: null, at: new Date(at), parts: ['sast' as const, 'sca' as const], results };
}

export const scanner: ScannerDefinition = {
  name: 'semgrep',
  toolOf: () => ({ key: 'semgrep', name: 'Semgrep', version: null }),
  create: createSemgrep,
};
