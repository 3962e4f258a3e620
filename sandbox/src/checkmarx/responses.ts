import { stableId } from '../git/users.ts';
import { type Project, repoUrlOf, type Scan, stableUuid, type Tenant } from './tenant.ts';
import type { Package, PlantedWeakness } from './weaknesses.ts';

/** A result in API format. Large numbers are text marked by `exact`, see `withExactNumbers`. */
export const resultJson = (
  finding: PlantedWeakness,
  seed: number,
  project: Project,
  scan: Scan,
): Record<string, unknown> => {
  const id = String(stableId(`${project.id} ${seed}`));
  const foundAt = new Date(Date.parse(scan.createdAt) - seed * (scan.daysPerFinding ?? 1) * 86_400_000).toISOString();
  const shared = {
    id,
    status: 'RECURRENT',
    state: 'TO_VERIFY',
    created: scan.createdAt,
    firstFoundAt: foundAt,
    foundAt: scan.createdAt,
    firstScanId: scan.id,
    confidenceLevel: 0,
    comments: {},
  };
  switch (finding.kind) {
    case 'sast':
      return { ...shared, ...codeJson(finding, seed) };
    case 'kics':
      return { ...shared, ...settingJson(finding) };
    case 'sca':
      return { ...shared, ...packageJson(finding.found, finding.path, id) };
    case 'container':
      return { ...shared, ...imageJson(finding.found, finding.path, id) };
    case 'secret':
      return { ...shared, ...secretJson(finding) };
    case 'scorecard':
      return { ...shared, ...scorecardJson() };
  }
};

/** A number with more digits than JavaScript supports. */
const exact = (digits: string): string => `@exact:${digits}`;

/** JSON with large numbers as numbers, as in the real API. */
export const withExactNumbers = (value: unknown): string => JSON.stringify(value).replaceAll(/"@exact:(\d+)"/g, '$1');

/** A prefix that marks the weakness as fictitious. */
const sandboxText = (text: string): string => `Sandbox: ${text}`;

const codeJson = ({ query, path, lines }: Extract<PlantedWeakness, { kind: 'sast' }>, seed: number) => {
  const { id, name, language, severity, cwe, description, compliances, state, comment } = query;
  const [first = 1] = lines;
  return {
    type: 'sast',
    label: 'sast',
    severity,
    ...(state === undefined ? {} : { state }),
    similarityId: String(stableId(`${path} ${name}`) - 2 ** 30),
    description: sandboxText(
      `The code at line ${first} of /${path} ${description}.\r\n\r\nThis is made up by the sandbox.\n\n`,
    ),
    descriptionHTML: `<p>${sandboxText(description)}</p>\n`,
    data: {
      queryId: exact(id),
      queryName: name,
      group: `${language}_${severity}_Risk`,
      languageName: language,
      resultHash: Buffer.from(`${path} ${seed}`).toString('base64').slice(0, 28),
      nodes: lines.map((line, step) => ({
        id: `${seed}.${step}`,
        line,
        name: `step${step + 1}`,
        column: 1,
        length: 5,
        nodeID: step + 1,
        fileName: `/${path}`,
        fullName: `${name}.step${step + 1}`,
        methodLine: first,
      })),
    },
    ...(comment === undefined ? {} : { comments: { comments: comment } }),
    vulnerabilityDetails: { cweId: cwe, cvss: {}, compliances },
  };
};

const settingJson = ({ query, path, lines }: Extract<PlantedWeakness, { kind: 'kics' }>) => ({
  type: 'kics',
  label: 'IaC Security',
  severity: query.severity,
  similarityId: stableUuid(`${path} ${query.id}`).replaceAll('-', '').padEnd(64, '0'),
  description: sandboxText(query.description),
  data: {
    queryId: query.id,
    queryName: query.name,
    group: 'Supply-Chain',
    line: lines[0],
    platform: query.platform,
    issueType: 'IncorrectValue',
    expectedValue: query.expected,
    value: query.actual,
    filename: `/${path}`,
  },
  vulnerabilityDetails: { cvss: {} },
});

const packageJson = (found: Package, path: string | null, alternateId: string) => ({
  type: 'sca',
  scaType: 'Vulnerability',
  label: 'sca',
  severity: found.severity,
  id: found.cve,
  similarityId: found.cve,
  alternateId,
  description: sandboxText(found.description),
  data: {
    packageIdentifier: found.identifier,
    recommendedVersion: found.fixedIn,
    recommendations: found.fixedIn,
    packageData: [{ url: `https://github.com/advisories/${found.ghsa}`, type: 'Advisory', comment: '' }],
    scaPackageData: {
      id: found.identifier,
      fixLink: `https://devhub.checkmarx.com/cve-details/${found.cve}`,
      locations: path === null ? [] : [path],
      isDirectDependency: true,
      typeOfDependency: 'Direct Dependency',
    },
  },
  vulnerabilityDetails: vulnerability(found),
});

const imageJson = (found: Package, path: string | null, alternateId: string) => ({
  type: 'containers',
  severity: found.severity,
  id: found.cve,
  similarityId: found.cve,
  alternateId,
  description: sandboxText(found.description),
  data: {
    packageName: found.name,
    packageVersion: found.version,
    imageName: 'sandbox/example',
    imageTag: '1.13',
    ...(path === null ? {} : { imageFilePath: path, imageOrigin: 'Dockerfile' }),
  },
  vulnerabilityDetails: vulnerability(found),
});

const vulnerability = ({ cve, cwe, score }: Package) => ({
  cweId: cwe,
  cvssScore: score,
  cveName: cve,
  cvss: score === 0 ? null : { version: 3, score: String(score) },
});

const secretJson = ({ path, lines }: Extract<PlantedWeakness, { kind: 'secret' }>) => ({
  type: 'sscs-secret-detection',
  label: 'sscs',
  severity: 'HIGH',
  similarityId: stableUuid(`secret ${path}`),
  description: sandboxText('A text that looks like an access token.'),
  data: {
    ruleId: 'generic-api-key',
    ruleName: 'Generic-Api-Key',
    fileName: `/${path}`,
    line: lines[0],
    ruleDescription: 'A generic API key may give access to services and data.',
    snippet: 'key = ****',
    validity: 'Unknown',
  },
  vulnerabilityDetails: { cweId: 798, cvss: {} },
});

const scorecardJson = () => ({
  type: 'sscs-scorecard',
  label: 'sscs',
  severity: 'MEDIUM',
  similarityId: stableUuid('scorecard'),
  description: sandboxText('Branches are not protected.'),
  data: {
    ruleId: 'BranchProtectionID',
    ruleName: 'Branch-Protection',
    line: 0,
    fileName: 'Issue Found in your GitHub repository',
    ruleDescription: 'Whether the default branch is protected.',
    remediationLink: 'https://github.com/ossf/scorecard/blob/main/docs/checks.md#branch-protection',
  },
  vulnerabilityDetails: { cweId: '', cvss: {} },
});

const engines = ['sast', 'kics', 'sca', 'containers', 'microengines'];

export const scanJson = (tenant: Tenant, project: Project, scan: Scan) => {
  const { id, status, branch, createdAt, projectId, commit } = scan;
  const detail = (name: string, engineStatus: string) => ({
    name,
    status: engineStatus,
    details: '',
    startDate: createdAt,
    endDate: createdAt,
  });
  return {
    id,
    status,
    branch,
    createdAt,
    updatedAt: createdAt,
    projectId,
    projectName: project.name,
    // A scan is partial if one of its engines fails.
    statusDetails: [
      detail('general', status),
      ...engines.map((name) => detail(name, status === 'Partial' && name === 'sca' ? 'Failed' : 'Completed')),
    ],
    userAgent: 'sandbox',
    initiator: 'sandbox',
    tags: {},
    engines,
    sourceType: 'github',
    sourceOrigin: 'Sandbox',
    metadata: {
      id,
      type: project.repository === '' ? 'upload' : 'git',
      Handler:
        project.repository === ''
          ? {}
          : {
              GitHandler: {
                branch,
                commit,
                repo_url: repoUrlOf(tenant, project),
                credentials: { type: 'apiKey', value: '*****' },
              },
            },
      project: { id: projectId },
    },
  };
};

export const projectJson = (tenant: Tenant, project: Project) => ({
  id: project.id,
  name: project.name,
  tenantId: stableUuid('tenant'),
  createdAt: '2025-09-02T21:34:30.415771Z',
  updatedAt: '2025-09-02T21:34:30.415771Z',
  groups: [],
  tags: {},
  repoUrl: repoUrlOf(tenant, project),
  mainBranch: project.mainBranch,
  criticality: 3,
  privatePackage: false,
  applicationIds: [],
  ...(project.repository === ''
    ? { imported_proj_name: '' }
    : { origin: 'GitHub', imported_proj_name: project.repository }),
});
