import type { Severity } from '@sightline/contract/core/severities.ts';
import type { ScannerResult } from '../scanner.ts';
import { codeOf, cweOf } from '../scanner-codes.ts';
import type { ScanPart } from '../scanner-connector.ts';
import type { SnykIssue } from './shapes.ts';

const severities: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  info: 'info',
};

/** The part of a project type. Types of package managers, such as `npm` and `maven`, are Open Source. */
export function partOf(projectType: string): ScanPart & ScannerResult['category'] {
  if (projectType === 'sast') return 'sast';
  if (/^(deb|rpm|apk|linux|dockerfile)$/.test(projectType)) return 'container';
  return /config|^helm|^armconfig|iac/.test(projectType) ? 'iac' : 'sca';
}

interface IssueContext {
  part: ReturnType<typeof partOf>;
  /** The manifest or lock file that the project reads; null without one. */
  file: string | null;
  /** The page of the project. */
  page: string;
}

/**
 * Converts an issue. The identity of a vulnerable package is the ID of the vulnerability, such as `SNYK-JS-LODASH-567746`,
 * the file and the package, as in SARIF. The API has no rule ID of code issues: their weakness and location stand for it.
 */
export function snykResultOf({ id, attributes }: SnykIssue, { part, file, page }: IssueContext): ScannerResult {
  const { key, title, description, status, ignored, coordinates, effective_severity_level: level } = attributes;
  const representations = (coordinates ?? []).flatMap((one) => one.representations ?? []);
  const dependency = representations.find((one) => one.dependency)?.dependency;
  const location = representations.find((one) => one.sourceLocation)?.sourceLocation;
  const severity = severities[level ?? ''];
  const cwes = (attributes.classes ?? []).flatMap((one) => Number(/^CWE-(\d{1,5})$/.exec(one.id)?.[1] ?? 0) || []);
  const state = status === 'resolved' ? 'fixed' : ignored ? 'suppressed' : 'open';
  return {
    ruleId: part === 'sast' ? (title ?? key) : (snykIdOf(attributes) ?? key),
    ruleName: null,
    title: title ?? key,
    description: '',
    message: description ?? title ?? '',
    severity: severity ?? 'info',
    ...(severity === undefined && { severityTold: false }),
    category: part,
    cwes,
    codes: [...cwes.map(cweOf), ...advisoriesOf(attributes)],
    path: location?.file ?? file,
    ...linesOf(location?.region),
    snippet: null,
    // The key of a code issue is the fingerprint of Snyk. Other keys repeat the rule.
    content: part === 'sast' ? key : null,
    flow: [],
    package: packageOf(dependency),
    references: [],
    compliances: [],
    discoveredAt: timeOf(attributes.created_at),
    state,
    suppressed: state === 'suppressed' ? { reason: 'ignored', comment: '' } : null,
    assessment: { state: status ?? null, cvss: cvssOf(attributes), confidence: null, language: null, notes: '' },
    scannerReference: { url: `${page}#issue-${encodeURIComponent(key)}`, number: id },
  };
}

type Attributes = SnykIssue['attributes'];
type Representation = NonNullable<NonNullable<Attributes['coordinates']>[number]['representations']>[number];

const linesOf = (region: NonNullable<Representation['sourceLocation']>['region']) => ({
  line: region?.start?.line ?? null,
  endLine: region?.end?.line ?? region?.start?.line ?? null,
});

const packageOf = (found: Representation['dependency']): ScannerResult['package'] =>
  found ? { name: found.package_name, version: found.package_version ?? null, fixedIn: null } : null;

const snykIdOf = ({ problems }: Attributes): string | undefined =>
  problems?.find(({ source }) => source === 'SNYK')?.id;

function advisoriesOf({ problems }: Attributes): ScannerResult['codes'][number][] {
  return (problems ?? []).flatMap(({ id }) => {
    if (/^CVE-\d{4}-\d{4,}$/.test(id)) return [codeOf('cve', id)];
    return /^GHSA(-[a-z0-9]{4}){3}$/.test(id) ? [codeOf('ghsa', id)] : [];
  });
}

function cvssOf({ severities: rated }: Attributes) {
  const own = rated?.find(({ source, score }) => source === 'Snyk' && score != null);
  return own?.score == null ? null : { score: own.score, vector: own.vector ?? null };
}

function timeOf(text: string | null | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) || at > Date.now() ? null : new Date(at).toISOString();
}
