import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  type Account,
  branchesOf,
  currentToken,
  pageOf,
  type ScannedProject,
  type ScannedState,
} from '../scanners/account.ts';
import { findingsOf, lineHash, ruleNamed, type SonarFinding } from './content.ts';

type Query = Record<string, string | undefined>;
type SonarRoute = { Querystring: Query };

/**
 * The part of the SonarQube Web API that reads vulnerabilities, below /sonarqube, as a SonarQube Server. Tokens are
 * accepted as Bearer and as the user of Basic authentication. Results after the 10,000th are rejected.
 */
export const sonarqubeRoutes = (server: FastifyInstance, account: Account): void => {
  server.get('/api/authentication/validate', async (request) => ({ valid: isSignedIn(account, request.headers) }));
  server.register(async (api) => {
    api.addHook('preHandler', async (request, reply) => {
      if (!isSignedIn(account, request.headers)) return reply.code(401).send();
      if (!account.kept.mayRead) return refuse(reply, 403, 'Insufficient privileges');
    });
    listRoutes(api, account);
    searchRoutes(api, account);
  });
};

const isSignedIn = (account: Account, { authorization = '' }: { authorization?: string | undefined }): boolean => {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) (\S+)$/i.exec(authorization) ?? [];
  const token = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().replace(/:$/, '') : value;
  return token === currentToken(account);
};

const refuse = (reply: FastifyReply, status: number, msg: string) => reply.code(status).send({ errors: [{ msg }] });

const numbered = ({ p = '1', ps = '100' }: Query) => ({ page: Number(p), size: Math.min(500, Number(ps)) });

/** A page in the format of SonarQube. */
const paged = <Item>(account: Account, query: Query, all: readonly Item[]) => {
  const { page, size } = numbered(query);
  return { paging: { pageIndex: page, pageSize: size, total: all.length }, items: pageOf(account, all, page, size) };
};

const keyOf = ({ name }: ScannedProject): string => name.replaceAll('/', '_');

const listRoutes = (server: FastifyInstance, account: Account): void => {
  server.get<SonarRoute>('/api/components/search', async ({ query }) => {
    const { paging, items } = paged(account, query, account.projects);
    return {
      paging,
      components: items.map((project) => ({ key: keyOf(project), name: project.name, qualifier: 'TRK' })),
    };
  });
  server.get<SonarRoute>('/api/project_branches/list', async ({ query }, reply) => {
    const project = account.projects.find((one) => keyOf(one) === query.project);
    if (!project) return refuse(reply, 404, `Project '${query.project}' not found`);
    const branches = (await branchesOf(account, project)).map(({ branch, scannedAt }) => ({
      name: branch,
      isMain: branch === project.mainBranch,
      type: 'BRANCH',
      status: { qualityGateStatus: 'OK' },
      analysisDate: timeText(scannedAt),
      excludedFromPurge: true,
    }));
    return { branches };
  });
  server.get<SonarRoute>('/api/project_analyses/search', async ({ query }, reply) => {
    const found = await branchNamed(account, query.project, query.branch);
    if (!found) return refuse(reply, 404, `Component '${query.project}' not found`);
    const { id, scannedAt, commit } = found.state;
    const analyses = [{ key: id, date: timeText(scannedAt), events: [], revision: commit }];
    return { paging: { pageIndex: 1, pageSize: 1, total: 1 }, analyses };
  });
  server.get<SonarRoute>('/api/alm_settings/get_binding', async ({ query }, reply) => {
    const project = account.projects.find((one) => keyOf(one) === query.project);
    if (!project) return refuse(reply, 404, `Project '${query.project}' not found`);
    return { key: 'sandbox', alm: 'github', repository: project.name, url: account.host.api, monorepo: false };
  });
  server.get<SonarRoute>('/api/rules/show', async ({ query }, reply) => {
    const rule = await ruleNamed(account, query.key ?? '');
    if (!rule) return refuse(reply, 404, `Rule not found: ${query.key}`);
    const { key, name, html } = rule;
    return {
      rule: {
        key,
        name,
        lang: 'js',
        langName: 'JavaScript',
        descriptionSections: [{ key: 'root_cause', content: html }],
      },
      actives: [],
    };
  });
};

const searchRoutes = (server: FastifyInstance, account: Account): void => {
  server.get<SonarRoute>('/api/issues/search', async ({ query }, reply) => {
    const found = await branchNamed(account, query.componentKeys ?? query.components, query.branch);
    if (!found) return { paging: { pageIndex: 1, pageSize: 100, total: 0 }, issues: [], components: [], rules: [] };
    const { page, size } = numbered(query);
    if (page * size > 10_000)
      return refuse(reply, 400, `Can return only the first 10000 results. ${page * size}th result asked.`);
    const all = (await findingsOf(found.project, found.state)).filter(({ rule }) => !rule.isHotspot);
    const matching = all
      .filter(({ finding }) => isBetween(finding.foundAt, query))
      .filter(({ rule }) => query.severities === undefined || query.severities.split(',').includes(rule.severity))
      .toSorted((one, other) =>
        query.s === 'UPDATE_DATE'
          ? byTime(changedAt(one), changedAt(other))
          : byTime(one.finding.foundAt, other.finding.foundAt),
      );
    if (query.asc === 'false') matching.reverse();
    const { paging, items } = paged(account, query, matching);
    return {
      total: paging.total,
      p: paging.pageIndex,
      ps: paging.pageSize,
      paging,
      effortTotal: 0,
      issues: await Promise.all(items.map((one) => issueJson(found.project, one))),
      components: componentsOf(found.project, items),
      rules: items.map(({ rule }) => ({
        key: rule.key,
        name: rule.name,
        status: 'READY',
        lang: 'js',
        langName: 'JavaScript',
      })),
      facets: [],
    };
  });
  server.get<SonarRoute>('/api/hotspots/search', async ({ query }) => {
    const found = await branchNamed(account, query.projectKey ?? query.project, query.branch);
    if (!found) return { paging: { pageIndex: 1, pageSize: 100, total: 0 }, hotspots: [], components: [] };
    const all = (await findingsOf(found.project, found.state)).filter(({ rule }) => rule.isHotspot);
    const matching = all.filter((one) => query.status === undefined || hotspotStatus(one) === query.status);
    const { paging, items } = paged(account, query, matching);
    return {
      paging,
      hotspots: items.map((one) => hotspotJson(found.project, one)),
      components: componentsOf(found.project, items),
    };
  });
};

const branchNamed = async (
  account: Account,
  key: string | undefined,
  branch: string | undefined,
): Promise<{ project: ScannedProject; state: ScannedState } | undefined> => {
  const project = account.projects.find((one) => keyOf(one) === key);
  if (!project) return undefined;
  const state = (await branchesOf(account, project)).find((one) => one.branch === (branch ?? project.mainBranch));
  return state && { project, state };
};

// SonarQube writes the offset without a colon.
const timeText = (iso: string): string => iso.replace(/\.\d{3}Z$/, '+0000');
const changedAt = ({ finding }: SonarFinding): string => finding.dismissal?.at ?? finding.foundAt;
const byTime = (one: string, other: string): number => one.localeCompare(other);

const isBetween = (at: string, { createdAfter, createdBefore }: Query): boolean => {
  const time = Date.parse(at);
  return (
    (createdAfter === undefined || time >= Date.parse(createdAfter)) &&
    (createdBefore === undefined || time < Date.parse(createdBefore))
  );
};

const componentsOf = (project: ScannedProject, items: readonly SonarFinding[]) => [
  ...[...new Set(items.map(({ path }) => path))].map((path) => ({
    key: `${keyOf(project)}:${path}`,
    enabled: true,
    qualifier: 'FIL',
    name: path.split('/').at(-1),
    longName: path,
    path,
  })),
  { key: keyOf(project), enabled: true, qualifier: 'TRK', name: project.name, longName: project.name },
];

const rangeOf = (line: number) => ({ startLine: line, endLine: line, startOffset: 0, endOffset: 1 });

const issueJson = async (project: ScannedProject, { key, rule, path, lines, finding }: SonarFinding) => {
  const [line = 1] = lines;
  const component = `${keyOf(project)}:${path}`;
  const isDismissed = finding.dismissal !== undefined;
  return {
    key,
    rule: rule.key,
    severity: rule.severity,
    component,
    project: keyOf(project),
    line,
    hash: await lineHash(project, path, line),
    textRange: rangeOf(line),
    flows:
      lines.length > 1
        ? [
            {
              locations: lines
                .toReversed()
                .map((one) => ({ component, textRange: rangeOf(one), msg: one === line ? 'Source' : 'Step' })),
            },
          ]
        : [],
    status: isDismissed ? 'RESOLVED' : 'OPEN',
    ...(isDismissed && { resolution: 'FALSE-POSITIVE' }),
    issueStatus: isDismissed ? 'FALSE_POSITIVE' : 'OPEN',
    message: `${rule.name}.`,
    effort: '30min',
    tags: ['cwe'],
    comments: isDismissed ? [{ key: `${key}-1`, login: 'reviewer', markdown: finding.dismissal?.comment }] : [],
    creationDate: timeText(finding.foundAt),
    updateDate: timeText(finding.dismissal?.at ?? finding.foundAt),
    type: 'VULNERABILITY',
    impacts: [{ softwareQuality: 'SECURITY', severity: impacts[rule.severity] }],
  };
};

const impacts: Readonly<Record<string, string>> = {
  BLOCKER: 'BLOCKER',
  CRITICAL: 'HIGH',
  MAJOR: 'MEDIUM',
  MINOR: 'LOW',
  INFO: 'INFO',
};

const hotspotStatus = ({ finding }: SonarFinding): string =>
  finding.dismissal === undefined ? 'TO_REVIEW' : 'REVIEWED';

const hotspotJson = (project: ScannedProject, one: SonarFinding) => {
  const { key, rule, path, lines, finding } = one;
  const [line = 1] = lines;
  return {
    key,
    component: `${keyOf(project)}:${path}`,
    project: keyOf(project),
    securityCategory: 'others',
    vulnerabilityProbability: rule.severity === 'MAJOR' ? 'MEDIUM' : 'LOW',
    status: hotspotStatus(one),
    ...(finding.dismissal && { resolution: 'SAFE' }),
    line,
    message: `${rule.name}.`,
    author: 'author@example.com',
    creationDate: timeText(finding.foundAt),
    updateDate: timeText(finding.dismissal?.at ?? finding.foundAt),
    textRange: rangeOf(line),
    flows: [],
    ruleKey: rule.key,
    messageFormattings: [],
  };
};
