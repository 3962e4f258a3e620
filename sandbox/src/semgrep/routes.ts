import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  type Account,
  accountName,
  branchesOf,
  currentToken,
  type Finding,
  pageOf,
  type ScannedProject,
  type Weakness,
  weaknessesOf,
} from '../scanners/account.ts';

type SemgrepRoute = { Params: { slug: string }; Querystring: Record<string, string | undefined> };

/** The part of the Semgrep Web API that reads findings, below /semgrep: pages are counted from 0 and have no total. */
export const semgrepRoutes = (server: FastifyInstance, account: Account): void => {
  server.addHook('preHandler', async ({ headers, routeOptions }, reply) => {
    if (!routeOptions.url?.includes('/api/')) return;
    if (headers.authorization !== `Bearer ${currentToken(account)}`)
      return reply.code(401).send({ error: 'Unauthorized' });
    if (!account.kept.mayRead) return reply.code(403).send({ error: 'Forbidden' });
  });
  server.get('/api/v1/deployments', async () => ({
    deployments: [{ id: 1, name: 'Sandbox', slug: accountName, findings: { url: `${account.host.url}/semgrep` } }],
  }));
  server.get<SemgrepRoute>('/api/v1/deployments/:slug/projects', async ({ query }) => {
    const { page, size } = numbered(query);
    const listed = pageOf(account, account.projects, page + 1, size);
    return { projects: await Promise.all(listed.map((project) => projectJson(account, project))) };
  });
  server.get<SemgrepRoute>('/api/v1/deployments/:slug/findings', async ({ query }) => {
    const { page, size } = numbered(query);
    const kinds = query.issue_type === 'sca' ? (['sca'] as const) : (['sast'] as const);
    const all: object[] = [];
    for (const project of account.projects.filter(({ name }) => query.repos === undefined || query.repos === name)) {
      const weaknesses = new Map((await weaknessesOf(project, kinds)).map((one) => [one.seed, one]));
      const [state] = (await branchesOf(account, project)).filter(({ branch }) => branch === project.mainBranch);
      for (const finding of state?.findings ?? []) {
        const weakness = weaknesses.get(finding.seed);
        if (weakness) all.push(findingJson(project, weakness, finding));
      }
    }
    return { findings: pageOf(account, all, page + 1, size) };
  });
};

const numbered = ({ page = '0', page_size = '100' }: Record<string, string | undefined>) => ({
  page: Number(page),
  size: Math.min(3000, Number(page_size)),
});

const projectJson = async (account: Account, project: ScannedProject) => {
  const [state] = (await branchesOf(account, project)).filter(({ branch }) => branch === project.mainBranch);
  return {
    id: Number.parseInt(project.id.slice(0, 8), 16),
    name: project.name,
    url: project.repoUrl,
    tags: [],
    created_at: state?.scannedAt,
    latest_scan_at: state?.scannedAt,
    primary_branch: `refs/heads/${project.mainBranch}`,
    default_branch: `refs/heads/${project.mainBranch}`,
  };
};

const severityOf = (text: string): string => text.toLowerCase();

const findingJson = (project: ScannedProject, weakness: Weakness, { foundAt, dismissal }: Finding) => {
  const id = Number.parseInt(
    createHash('sha256').update(`${project.id} ${weakness.seed}`).digest('hex').slice(0, 10),
    16,
  );
  const shared = {
    id,
    ref: `refs/heads/${project.mainBranch}`,
    match_based_id: `${createHash('sha256').update(`match ${project.id} ${weakness.seed}`).digest('hex')}_0`,
    syntactic_id: createHash('md5').update(`${weakness.seed}`).digest('hex'),
    repository: { name: project.name, url: project.repoUrl },
    first_seen_scan_id: 1,
    state: dismissal ? 'muted' : 'unresolved',
    triage_state: dismissal ? 'ignored' : 'untriaged',
    status: dismissal ? 'ignored' : 'open',
    triage_reason: dismissal ? 'false_positive' : null,
    triage_comment: dismissal?.comment ?? null,
    triaged_at: dismissal?.at ?? null,
    confidence: 'high',
    created_at: foundAt,
    relevant_since: foundAt,
    categories: ['security'],
  };
  if (weakness.kind === 'sast') {
    const [line = 1] = weakness.lines;
    const { query } = weakness;
    const name = `javascript.sandbox.${query.name.toLowerCase().replaceAll('_', '-')}`;
    const message = `The code ${query.description}.`;
    return {
      ...shared,
      line_of_code_url: `${project.repoUrl}/blob/${project.mainBranch}/${weakness.path}#L${line}`,
      rule_name: name,
      rule_message: message,
      location: { file_path: weakness.path, line, column: 1, end_line: line, end_column: 2 },
      rule: {
        name,
        message,
        confidence: 'high',
        category: 'security',
        vulnerability_classes: [query.name.replaceAll('_', ' ')],
        cwe_names: [`CWE-${query.cwe}: ${query.name}`],
        owasp_names: [],
      },
      severity: severityOf(query.severity),
    };
  }
  if (weakness.kind !== 'sca') return shared;
  const { found, path } = weakness;
  const name = `ssc-${found.ghsa.toLowerCase()}`;
  return {
    ...shared,
    line_of_code_url: null,
    rule_name: name,
    rule_message: found.description,
    location: { file_path: path ?? 'package.json', line: 1, column: 1, end_line: 1, end_column: 1 },
    rule: {
      name,
      message: found.description,
      confidence: 'high',
      category: 'security',
      vulnerability_classes: ['Vulnerable dependency'],
      cwe_names: [`${found.cwe}: weakness`],
      owasp_names: [],
    },
    severity: severityOf(found.severity),
    vulnerability_identifier: found.cve,
    reachability: 'unreachable',
    reachable_condition: null,
    found_dependency: {
      package: found.name,
      version: found.version,
      ecosystem: 'npm',
      transitivity: 'direct',
      lockfile_line_url: null,
    },
    fix_recommendations: [{ package: found.name, version: found.fixedIn }],
  };
};
