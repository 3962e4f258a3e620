import type { FastifyInstance, FastifyReply } from 'fastify';
import { stableUuid } from '../checkmarx/tenant.ts';
import {
  type Account,
  accountName,
  branchesOf,
  currentToken,
  type Finding,
  type ScannedProject,
  type Weakness,
  weaknessesOf,
} from '../scanners/account.ts';

type SnykRoute = { Params: { org: string }; Querystring: Record<string, string | undefined> };

/** The part of the Snyk REST API that reads issues, below /snyk: pages are linked by `starting_after`. */
export const snykRoutes = (server: FastifyInstance, account: Account): void => {
  server.addHook('preHandler', async ({ headers, routeOptions, params }, reply) => {
    if (!routeOptions.url?.includes('/rest/')) return;
    if (headers.authorization !== `token ${currentToken(account)}`) return refuse(reply, 401, 'Unauthorized');
    if ((params as { org: string }).org !== accountName) return refuse(reply, 404, 'Org not found');
    if (!account.kept.mayRead) return refuse(reply, 403, 'Forbidden');
  });
  server.get<SnykRoute>('/rest/orgs/:org/projects', async ({ query }) =>
    linkedPage(account, 'projects', query, projectsOf(account).map(projectJson)),
  );
  server.get<SnykRoute>('/rest/orgs/:org/issues', async ({ query }) => {
    const project = projectsOf(account).find(({ id }) => id === query['scan_item.id']);
    return linkedPage(account, 'issues', query, project ? await issuesOf(account, project) : []);
  });
};

const refuse = (reply: FastifyReply, status: number, detail: string) =>
  reply.code(status).send({ jsonapi: { version: '1.0' }, errors: [{ status: String(status), detail }] });

type SnykProject = { id: string; type: 'npm' | 'sast'; file: string; project: ScannedProject };

// Snyk has a project for each manifest, and one for the code of a repository.
const projectsOf = ({ projects }: Account): SnykProject[] =>
  projects.flatMap((project): SnykProject[] => [
    { id: stableUuid(`snyk npm ${project.id}`), type: 'npm', file: 'package.json', project },
    { id: stableUuid(`snyk sast ${project.id}`), type: 'sast', file: '', project },
  ]);

const projectJson = ({ id, type, file, project }: SnykProject) => ({
  id,
  type: 'project',
  attributes: {
    name: file === '' ? project.name : `${project.name}:${file}`,
    type,
    target_file: file,
    target_reference: project.mainBranch,
    origin: 'github',
    status: 'active',
  },
  relationships: {
    target: {
      data: {
        id: stableUuid(project.name),
        type: 'target',
        attributes: { display_name: project.name, url: project.repoUrl },
      },
    },
  },
});

/** A page after the item that `starting_after` names. While the sandbox repeats pages, each links to itself. */
const linkedPage = <Item extends { id: string }>(
  { kept }: Account,
  list: string,
  query: SnykRoute['Querystring'],
  all: readonly Item[],
) => {
  const size = Number(query.limit ?? 10);
  const start = kept.repeatsPages ? 0 : all.findIndex(({ id }) => id === query.starting_after) + 1;
  const data = all.slice(start, start + (kept.repeatsPages ? 1 : size));
  const last = data.at(-1);
  const hasMore = kept.repeatsPages || start + size < all.length;
  const next = new URLSearchParams({ ...(query as Record<string, string>), starting_after: last?.id ?? '' });
  const path = `/orgs/${accountName}/${list}`;
  return { jsonapi: { version: '1.0' }, data, links: hasMore && last ? { next: `${path}?${next}` } : {} };
};

const issuesOf = async (account: Account, { id, type, project }: SnykProject) => {
  const weaknesses = new Map(
    (await weaknessesOf(project, type === 'npm' ? ['sca'] : ['sast'])).map((one) => [one.seed, one]),
  );
  const state = (await branchesOf(account, project)).find(({ branch }) => branch === project.mainBranch);
  return (state?.findings ?? []).flatMap((finding) => {
    const weakness = weaknesses.get(finding.seed);
    return weakness ? [issueJson(id, weakness, finding)] : [];
  });
};

const issueJson = (projectId: string, weakness: Weakness, { seed, foundAt, dismissal }: Finding) => {
  const id = stableUuid(`snyk issue ${projectId} ${seed}`);
  const shared = {
    status: 'open',
    ignored: dismissal !== undefined,
    created_at: foundAt,
    updated_at: dismissal?.at ?? foundAt,
  };
  const relationships = { scan_item: { data: { id: projectId, type: 'project' } } };
  if (weakness.kind === 'sast') {
    const { query, path, lines } = weakness;
    const [line = 1] = lines;
    const region = { start: { line, column: 1 }, end: { line, column: 2 } };
    const attributes = {
      ...shared,
      key: stableUuid(`snyk key ${projectId} ${seed}`),
      type: 'code',
      title: query.name.replaceAll('_', ' '),
      description: `The code ${query.description}.`,
      effective_severity_level: query.severity.toLowerCase(),
      classes: [{ id: `CWE-${query.cwe}`, source: 'CWE', type: 'weakness' }],
      problems: [{ id: stableUuid(`snyk key ${projectId} ${seed}`), source: 'SNYK', type: 'vulnerability' }],
      coordinates: [{ representations: [{ sourceLocation: { file: path, region } }] }],
    };
    return { id, type: 'issue', attributes, relationships };
  }
  const found = weakness.kind === 'sca' ? weakness.found : undefined;
  const key = `SNYK-JS-${found?.name.toUpperCase().replaceAll('-', '')}-${1_000_000 + seed}`;
  const attributes = {
    ...shared,
    key,
    type: 'package_vulnerability',
    title: found?.description ?? '',
    effective_severity_level: found?.severity.toLowerCase(),
    classes: [{ id: found?.cwe, source: 'CWE', type: 'weakness' }],
    problems: [
      { id: key, source: 'SNYK', type: 'vulnerability' },
      { id: found?.cve, source: 'NVD', type: 'vulnerability' },
    ],
    severities: [{ source: 'Snyk', level: found?.severity.toLowerCase(), score: found?.score }],
    coordinates: [
      { representations: [{ dependency: { package_name: found?.name, package_version: found?.version } }] },
    ],
  };
  return { id, type: 'issue', attributes, relationships };
};
