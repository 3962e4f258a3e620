import type { FastifyInstance, FastifyReply } from 'fastify';
import { stableUuid } from '../checkmarx/tenant.ts';
import {
  type Account,
  branchesOf,
  currentToken,
  type Finding,
  pageOf,
  type ScannedProject,
  weaknessesOf,
} from '../scanners/account.ts';

type TrackRoute = {
  Params: { uuid: string };
  Querystring: Record<string, string | undefined>;
  Headers: { accept?: string };
};

/** The part of the Dependency-Track API that reads findings, below /dependency-track, with its export as SARIF. */
export const dependencyTrackRoutes = (server: FastifyInstance, account: Account): void => {
  server.addHook('preHandler', async ({ headers, routeOptions }, reply) => {
    if (!routeOptions.url?.includes('/api/')) return;
    if (headers['x-api-key'] !== currentToken(account)) return reply.code(401).send();
    if (!account.kept.mayRead) return reply.code(403).send();
  });
  server.get<TrackRoute>('/api/v1/project', async ({ query }, reply) => {
    const [page, size] = [Number(query.pageNumber ?? 1), Number(query.pageSize ?? 100)];
    reply.header('x-total-count', String(account.projects.length));
    return Promise.all(pageOf(account, account.projects, page, size).map((project) => projectJson(account, project)));
  });
  server.get<TrackRoute>('/api/v1/project/:uuid', async ({ params }, reply) => {
    const project = account.projects.find(({ id }) => id === params.uuid);
    return project ? projectJson(account, project) : notFound(reply);
  });
  server.get<TrackRoute>('/api/v1/finding/project/:uuid', async ({ params, query, headers }, reply) => {
    const project = account.projects.find(({ id }) => id === params.uuid);
    if (!project) return notFound(reply);
    const all = await findingsOf(account, project);
    const visible = all.filter(({ analysis }) => query.suppressed === 'true' || !analysis.isSuppressed);
    if (headers.accept?.includes('application/sarif+json')) return sarifOf(visible);
    reply.header('x-total-count', String(visible.length));
    return pageOf(account, visible, 1, visible.length);
  });
};

const notFound = (reply: FastifyReply) => reply.code(404).type('text/plain').send('The project could not be found.');

const projectJson = async (account: Account, project: ScannedProject) => {
  const [state] = await branchesOf(account, project);
  const at = Date.parse(state?.scannedAt ?? '');
  return {
    uuid: project.id,
    name: project.name,
    version: project.mainBranch,
    isLatest: true,
    active: true,
    classifier: 'APPLICATION',
    lastBomImport: at,
    lastBomImportFormat: 'CycloneDX 1.6',
    lastVulnerabilityAnalysis: at,
    externalReferences: [{ type: 'vcs', url: project.repoUrl }],
  };
};

type TrackedFinding = ReturnType<typeof findingJson>;

const findingsOf = async (account: Account, project: ScannedProject): Promise<TrackedFinding[]> => {
  const [state] = await branchesOf(account, project);
  const weaknesses = new Map((await weaknessesOf(project, ['sca'])).map((one) => [one.seed, one]));
  return (state?.findings ?? []).flatMap((finding) => {
    const weakness = weaknesses.get(finding.seed);
    return weakness?.kind === 'sca' ? [findingJson(project, weakness.found, finding)] : [];
  });
};

type VulnerablePackage = {
  name: string;
  version: string;
  cve: string;
  cwe: string;
  ghsa: string;
  severity: string;
  score: number;
  description: string;
};

const findingJson = (project: ScannedProject, found: VulnerablePackage, { foundAt, dismissal }: Finding) => ({
  component: {
    uuid: stableUuid(`component ${found.name}`),
    name: found.name,
    version: found.version,
    purl: `pkg:npm/${found.name}@${found.version}`,
    project: project.id,
  },
  vulnerability: {
    uuid: stableUuid(`vulnerability ${found.cve}`),
    source: 'NVD',
    vulnId: found.cve,
    severity: found.severity,
    severityRank: 0,
    cvssV3BaseScore: found.score,
    description: found.description,
    cweId: Number(found.cwe.replace('CWE-', '')),
    cwes: [{ cweId: Number(found.cwe.replace('CWE-', '')), name: found.cwe }],
    aliases: [{ cveId: found.cve, ghsaId: found.ghsa }],
  },
  analysis: { ...(dismissal && { state: 'FALSE_POSITIVE' }), isSuppressed: dismissal !== undefined },
  attribution: { analyzerIdentity: 'INTERNAL_ANALYZER', attributedOn: Date.parse(foundAt) },
  matrix: `${project.id}:${found.name}:${found.cve}`,
});

// As `src/main/resources/templates/findings/sarif.peb` of Dependency-Track writes it.
const sarifOf = (findings: readonly TrackedFinding[]) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'OWASP Dependency-Track', version: '4.13.0', rules: [] } },
      results: findings.map(({ component, vulnerability }) => ({
        ruleId: vulnerability.vulnId,
        message: { text: vulnerability.description },
        locations: [{ logicalLocations: [{ fullyQualifiedName: component.purl }] }],
        level: 'warning',
        properties: { name: component.name, group: '', version: component.version, source: vulnerability.source },
      })),
    },
  ],
});
