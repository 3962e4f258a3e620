import type { Outbound } from '#core/outbound.ts';
import type {
  PartResult,
  ProjectScan,
  ScannerConnector,
  ScannerDefinition,
  ScannerSession,
} from '../scanner-connector.ts';
import { openSonarClient, type SonarClient } from './client.ts';
import { readHotspots, readIssues } from './issues.ts';
import { countProjects, listProjects, listScans, repositoryOf } from './reads.ts';
import { hotspotResultOf, issueResultOf } from './results.ts';
import { createRuleReader } from './rules.ts';

const createSonarqube = (outbound: Outbound, defaultURL: string, pause?: number): ScannerConnector => ({
  async open(connection, hurry = false) {
    const patience = { ...(hurry && { tries: 1 }), ...(pause !== undefined && { pause }) };
    return sessionOf(await openSonarClient(outbound, connection, defaultURL, patience));
  },
});

function sessionOf(client: SonarClient): ScannerSession {
  const readRule = createRuleReader(client);
  return {
    baseURL: client.api.baseURL,
    countProjects: () => countProjects(client),
    projects: () => listProjects(client),
    repositoryOf: (projectId) => repositoryOf(client, projectId),
    scans: (query) => listScans(client, query),
    results: (project, scan) => readResults(client, readRule, project.id, scan),
    webhooks: undefined,
  };
}

async function* readResults(
  client: SonarClient,
  readRule: ReturnType<typeof createRuleReader>,
  project: string,
  { branch }: ProjectScan,
): AsyncGenerator<PartResult[]> {
  const link = { baseURL: client.api.baseURL, project, branch };
  for await (const { issues, paths, rules } of readIssues(client, project, link.branch)) {
    const page: PartResult[] = [];
    for (const issue of issues) {
      const named = rules.get(issue.rule);
      const rule = { language: named?.language ?? null, ...(await readRule(issue.rule)) };
      const result = issueResultOf(issue, { link, paths, rule: { ...rule, name: named?.name ?? rule.name } });
      page.push({ part: result.category, result });
    }
    yield page;
  }
  for await (const { hotspots, paths } of readHotspots(client, project, link.branch)) {
    const page: PartResult[] = [];
    for (const hotspot of hotspots) {
      const rule = { language: null, ...(await readRule(hotspot.ruleKey)) };
      const result = hotspotResultOf(hotspot, { link, paths, rule });
      page.push({ part: result.category, result });
    }
    yield page;
  }
}

export const scanner: ScannerDefinition = {
  name: 'sonarqube',
  toolOf: () => ({ key: 'sonarqube', name: 'SonarQube', version: null }),
  create: createSonarqube,
};
