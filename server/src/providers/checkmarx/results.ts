import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import type { Severity } from '@sightline/contract/core/severities.ts';
import type { RejectedResult, ScannerResult } from '#providers/scanner.ts';
import { assessmentOf } from './assessment.ts';
import { normalizeEngineResult } from './engine-results.ts';
import { codesOf, cwesOf, packageOf, vulnerabilityOf } from './packages.ts';
import { type RawResult, rawResult } from './result-shapes.ts';

/** The category of a result type; undefined if the type is unknown. */
function categoryOf(type: string): FindingCategory | undefined {
  const name = type.toLowerCase();
  // Weaknesses of an API are in the code behind it and have no separate category.
  if (name === 'sast' || isApiSecurity(name)) return 'sast';
  // Before the prefix `sca`, which is for packages of the repository.
  if (name === 'sca-container' || name.startsWith('container')) return 'container';
  if (/^(sca|dependency)/.test(name)) return 'sca';
  if (/^(kics|infrastructure|iac)/.test(name)) return 'iac';
  if (name.includes('secret')) return 'secret';
  if (name.includes('scorecard')) return 'scorecard';
  return undefined;
}

/** Whether a result type is API security. */
export const isApiSecurity = (type: string): boolean => /^api[-_ ]?sec/i.test(type);

/** The location of results in Checkmarx One, for links. */
export interface ResultLinkContext {
  baseURL: string;
  projectId: string;
}

/** Descriptions of code scanning queries by ID. */
export type QueryDescriptions = ReadonlyMap<string, string>;

/** Parses one result, or returns a rejection if it is invalid. `place`: the index of the result in the scan, from 0. */
export function checkmarxResultFrom(
  raw: unknown,
  place: number,
  showing: ResultLinkContext,
  descriptions: QueryDescriptions = new Map(),
): ScannerResult | RejectedResult {
  const parsed = rawResult.safeParse(normalizeEngineResult(raw));
  if (!parsed.success) return { place: `results[${place}]`, reason: 'is not a result: it has no type' };
  const category = categoryOf(parsed.data.type);
  if (category === undefined) {
    const reason = `is of the type “${parsed.data.type.slice(0, 100)}”, which Sightline does not support`;
    return { place: `results[${place}]`, reason };
  }
  const own = { ...shared(parsed.data, showing), category };
  if (isApiSecurity(parsed.data.type)) return ofApi(own, parsed.data);
  switch (category) {
    case 'sast':
      return ofCode(own, parsed.data, descriptions);
    case 'iac':
      return ofSettings(own, parsed.data);
    case 'sca':
    case 'container':
      return ofPackage(own, parsed.data);
    case 'secret':
    case 'scorecard':
      return ofRule(own, parsed.data);
  }
}

const severities: Record<string, Severity> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  MODERATE: 'medium',
  LOW: 'low',
  INFO: 'info',
  INFORMATION: 'info',
};

/** The severity, ignoring case; unknown values become informational. */
function severityOf(text: string | null): Pick<ScannerResult, 'severity' | 'severityTold'> {
  const reported = severities[text?.toUpperCase() ?? ''];
  return reported === undefined ? { severity: 'info', severityTold: false } : { severity: reported };
}

type Shared = Omit<ScannerResult, 'category' | 'title'>;
type Own = Shared & { category: FindingCategory };

function shared(raw: RawResult, { baseURL, projectId }: ResultLinkContext): Shared {
  const isFixed = raw.status?.toUpperCase() === 'FIXED';
  const assessment = assessmentOf(raw);
  const isDismissed = assessment.state === 'NOT_EXPLOITABLE';
  const description = (raw.description ?? '').replaceAll('\r\n', '\n').trim();
  return {
    ruleId: raw.id ?? raw.type,
    ruleName: null,
    description: '',
    message: description,
    ...severityOf(raw.severity),
    cwes: cwesOf(raw),
    codes: codesOf(raw),
    path: null,
    line: null,
    endLine: null,
    snippet: null,
    content: raw.similarityId ?? raw.id,
    flow: [],
    package: null,
    references: [],
    compliances: raw.vulnerabilityDetails.compliances.map((framework) => ({ framework, control: '' })),
    discoveredAt: timeOf(raw.firstFoundAt) ?? timeOf(raw.created),
    state: isFixed ? 'fixed' : isDismissed ? 'suppressed' : 'open',
    suppressed: !isFixed && isDismissed ? { reason: 'not_exploitable', comment: raw.comments } : null,
    assessment,
    scannerReference: { url: viewerLinkOf(raw, { baseURL, projectId }), number: raw.alternateId ?? raw.id },
  };
}

/**
 * The URL of a result. `{scan}` is replaced by the latest scan with the result when it is read: a stored scan ID would
 * change every result with every scan.
 */
function viewerLinkOf(
  { type, id, data, resultViewerLink }: RawResult,
  { baseURL, projectId }: ResultLinkContext,
): string {
  if (resultViewerLink && /^https?:\/\//i.test(resultViewerLink) && URL.canParse(resultViewerLink))
    return resultViewerLink;
  const project = encodeURIComponent(projectId);
  const engine = /^(sast|kics)$/i.exec(type)?.[0].toLowerCase();
  const result = data.resultHash ?? id;
  if (engine === undefined || result === null) return `${baseURL}/projects/${project}/overview`;
  return `${baseURL}/results/{scan}/${project}/${engine}?result-id=${encodeURIComponent(result)}`;
}

function ofCode(own: Own, raw: RawResult, descriptions: QueryDescriptions): ScannerResult {
  const { nodes, queryName, queryId } = raw.data;
  const flow = nodes.flatMap(({ fileName, line, name, fullName }) => {
    const filePath = pathOf(fileName);
    return filePath === null || line === null
      ? []
      : [{ filePath, line, endLine: null, message: fullName ?? name ?? '' }];
  });
  const [source] = nodes;
  const { sourceFileName, sourceLine } = raw.data;
  const name = queryName?.replaceAll('_', ' ') ?? null;
  return {
    ...own,
    title: name ?? 'Weakness in code',
    // The name, because the ID of a query differs between tenants that customized it.
    ruleId: queryName ?? queryId ?? own.ruleId,
    ruleName: name,
    description: (queryId !== null && descriptions.get(queryId)) || '',
    path: pathOf(sourceFileName ?? source?.fileName ?? null),
    line: sourceLine ?? source?.line ?? null,
    flow: flow.length > 1 ? flow : [],
  };
}

/** Parses a weakness of an API. The endpoint identifies it, because the file may be unknown. */
function ofApi(own: Own, raw: RawResult): ScannerResult {
  const { queryName, httpMethod, url, sourceFileName, fileName, sourceLine, line } = raw.data;
  const name = queryName?.replaceAll('_', ' ') ?? 'Weakness of an API';
  const address = [httpMethod?.toUpperCase(), url].filter((part) => part).join(' ');
  return {
    ...own,
    title: address === '' ? name : `${name} in ${address}`,
    ruleId: queryName ?? own.ruleId,
    ruleName: queryName && name,
    message: own.message || address,
    path: pathOf(sourceFileName ?? fileName),
    line: sourceLine ?? line,
    content: address === '' ? own.content : `api ${address}`,
  };
}

function ofSettings(own: Own, raw: RawResult): ScannerResult {
  const { queryName, queryId, fileName, filename, line, expectedValue, value } = raw.data;
  const values = [expectedValue && `Expected: ${expectedValue}`, value && `Found: ${value}`].filter((part) => part);
  return {
    ...own,
    title: queryName ?? 'Unsafe setting',
    ruleId: queryId ?? queryName ?? own.ruleId,
    ruleName: queryName,
    description: own.message,
    message: values.length > 0 ? values.join('\n\n') : own.message,
    path: pathOf(fileName ?? filename),
    line,
  };
}

function ofPackage(own: Own, raw: RawResult): ScannerResult {
  const { imageName, imageTag, imageFilePath, scaPackageData, packageData, recommendedVersion, recommendations } =
    raw.data;
  const found = packageOf(raw.data);
  const weakness = vulnerabilityOf(raw);
  const image = imageName && (imageTag ? `${imageName}:${imageTag}` : imageName);
  const described = own.message;
  return {
    ...own,
    title: [weakness ?? 'Vulnerable package', found && `in ${found.name}${found.version ? ` ${found.version}` : ''}`]
      .filter((part) => part)
      .join(' '),
    ruleId: weakness ?? own.ruleId,
    ruleName: null,
    description: described,
    message: [found && `Package ${found.name}${found.version ? ` ${found.version}` : ''}`, image && `Image ${image}`]
      .filter((part) => part)
      .join(', '),
    path: pathOf(own.category === 'container' ? imageFilePath : (scaPackageData?.locations[0] ?? null)),
    // The ID identifies the vulnerability, which several packages can have.
    content: [own.content, found?.name, own.category === 'container' ? imageName : null]
      .filter((part) => part)
      .join(' '),
    package: found && { ...found, fixedIn: recommendedVersion ?? recommendations },
    references: packageData
      .filter(({ url }) => /^https?:\/\//i.test(url))
      .map(({ url, type }) => ({ title: type ?? url, url })),
  };
}

function ofRule(own: Own, raw: RawResult): ScannerResult {
  const { ruleId, ruleName, ruleDescription, fileName, filename, line, remediationLink } = raw.data;
  const path = pathOf(fileName ?? filename);
  return {
    ...own,
    title:
      ruleName ?? raw.data.queryName ?? (own.category === 'secret' ? 'Secret in the repository' : 'Scorecard check'),
    ruleId: ruleId ?? ruleName ?? own.ruleId,
    ruleName,
    description: ruleDescription ?? own.message,
    path,
    line: path === null ? null : line,
    references:
      remediationLink && /^https?:\/\//i.test(remediationLink) ? [{ title: 'Remediation', url: remediationLink }] : [],
  };
}

// The text in place of a path for results about the repository.
const noPath = /issue found in your|no file associated/i;

/** The path relative to the root of the repository; null if it is not a file. */
function pathOf(name: string | null): string | null {
  if (name === null || noPath.test(name)) return null;
  const path = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return path === '' || /(^|\/)\.\.(\/|$)/.test(path) ? null : path;
}

function timeOf(text: string | null): string | null {
  if (text === null) return null;
  const time = new Date(text);
  // The zero date of Go means no date.
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1990 ? null : time.toISOString();
}
