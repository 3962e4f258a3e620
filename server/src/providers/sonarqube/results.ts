import { createHash } from 'node:crypto';
import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import type { Severity } from '@sightline/contract/core/severities.ts';
import type { FlowStep, LocationRegion, ScannerResult } from '../scanner.ts';
import { cweOf } from '../scanner-codes.ts';
import type { SonarRule } from './rules.ts';
import type { SonarHotspot, SonarIssue } from './shapes.ts';

/** The location of results in SonarQube, for links. */
export interface SonarLink {
  baseURL: string;
  project: string;
  /** Null for the main branch. */
  branch: string | null;
}

interface ResultContext {
  link: SonarLink;
  paths: ReadonlyMap<string, string>;
  rule: SonarRule & { language: string | null };
}

/** Rules of these repositories concern the configuration of infrastructure. */
const infrastructure = /^(terraform|cloudformation|docker|kubernetes|azureresourcemanager|ansible|helm|githubactions)$/;

/** The category of a rule, such as `secrets:S6290`. */
function categoryOfRule(rule: string): FindingCategory {
  const [repository = ''] = rule.toLowerCase().split(':');
  if (repository === 'secrets') return 'secret';
  return infrastructure.test(repository) ? 'iac' : 'sast';
}

const impactSeverities: Readonly<Record<string, Severity>> = {
  BLOCKER: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  INFO: 'info',
};
const issueSeverities: Readonly<Record<string, Severity>> = {
  BLOCKER: 'critical',
  CRITICAL: 'high',
  MAJOR: 'medium',
  MINOR: 'low',
  INFO: 'info',
};

/** The severity of the impact on security, or else the severity of versions before 10.2. */
function severityOf({ impacts, severity }: SonarIssue): Pick<ScannerResult, 'severity' | 'severityTold'> {
  const impact = impacts?.find(({ softwareQuality }) => softwareQuality === 'SECURITY')?.severity;
  const reported = impactSeverities[impact ?? ''] ?? issueSeverities[severity ?? ''];
  return reported === undefined ? { severity: 'info', severityTold: false } : { severity: reported };
}

/**
 * Converts an issue. Its identity is the rule, such as `java:S2076`, the path and the hash of its line, which SonarQube
 * itself uses to follow moved code.
 */
export function issueResultOf(issue: SonarIssue, context: ResultContext): ScannerResult {
  const state = stateOf(issue);
  const comment = issue.comments?.at(-1)?.markdown ?? '';
  const query = { ...linkQuery(context.link), issues: issue.key, open: issue.key };
  const category = categoryOfRule(issue.rule);
  const hash = issue.hash || null;
  return {
    ...sharedOf({ ...issue, ruleId: issue.rule, category }, context),
    ...severityOf(issue),
    content: hash !== null && category === 'secret' ? hashed(hash) : hash,
    state,
    suppressed: state === 'suppressed' ? { reason: dismissalOf(issue), comment } : null,
    assessment: assessmentOf(issue.issueStatus ?? issue.status ?? null, context.rule.language, comment),
    scannerReference: {
      url: `${context.link.baseURL}/project/issues?${new URLSearchParams(query)}`,
      number: issue.key,
    },
  };
}

const probabilities: Readonly<Record<string, Severity>> = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low' };

/** Converts a security hotspot. The API lists no hash of its line, so that the line number identifies it. */
export function hotspotResultOf(hotspot: SonarHotspot, context: ResultContext): ScannerResult {
  const isSafe = hotspot.status === 'REVIEWED' && hotspot.resolution === 'SAFE';
  const isFixed = hotspot.status === 'REVIEWED' && hotspot.resolution === 'FIXED';
  const severity = probabilities[hotspot.vulnerabilityProbability ?? ''];
  const query = { ...linkQuery(context.link), hotspots: hotspot.key };
  return {
    ...sharedOf({ ...hotspot, category: categoryOfRule(hotspot.ruleKey), ruleId: hotspot.ruleKey }, context),
    severity: severity ?? 'info',
    ...(severity === undefined && { severityTold: false }),
    content: null,
    state: isFixed ? 'fixed' : isSafe ? 'suppressed' : 'open',
    suppressed: isSafe ? { reason: 'safe', comment: '' } : null,
    assessment: assessmentOf(hotspot.resolution ?? hotspot.status ?? null, context.rule.language, ''),
    scannerReference: {
      url: `${context.link.baseURL}/security_hotspots?${new URLSearchParams(query)}`,
      number: hotspot.key,
    },
  };
}

const hashed = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const linkQuery = ({ project, branch }: SonarLink): Record<string, string> => ({
  id: project,
  ...(branch !== null && { branch }),
});

type Located = Pick<SonarIssue, 'component' | 'message' | 'line' | 'textRange' | 'flows' | 'creationDate'> & {
  ruleId: string;
  category: FindingCategory;
};

type SharedFields = Omit<
  ScannerResult,
  'severity' | 'severityTold' | 'content' | 'state' | 'suppressed' | 'assessment' | 'scannerReference'
>;

function sharedOf(one: Located, { paths, rule, link }: ResultContext): SharedFields {
  const region = regionOf(one.textRange);
  return {
    ruleId: one.ruleId,
    ruleName: rule.name,
    title: rule.name ?? one.message ?? one.ruleId,
    description: rule.description,
    message: one.message ?? '',
    category: one.category,
    cwes: rule.cwes,
    codes: rule.cwes.map(cweOf),
    path: paths.get(one.component) ?? pathInKey(one.component, link.project),
    line: one.textRange?.startLine ?? one.line ?? null,
    endLine: one.textRange?.endLine ?? one.line ?? null,
    snippet: null,
    flow: flowOf(one.flows, paths),
    ...(region && { evidence: { region, locations: [], relatedLocations: [], otherFlows: [], fixes: [] } }),
    package: null,
    references: [],
    compliances: [],
    discoveredAt: timeOf(one.creationDate),
  };
}

// The key of a file is that of its project, a colon, and its path; the key of a project has no path.
const pathInKey = (component: string, project: string): string | null =>
  component.startsWith(`${project}:`) ? component.slice(project.length + 1) : null;

function regionOf(range: SonarIssue['textRange']): LocationRegion | null {
  if (range?.startOffset === undefined || range.endOffset === undefined) return null;
  return { column: range.startOffset + 1, endColumn: range.endOffset + 1, offset: null };
}

/** The steps of the first flow. SonarQube lists them from the sink to the source. */
const flowOf = (flows: SonarIssue['flows'], paths: ReadonlyMap<string, string>): FlowStep[] =>
  (flows?.[0]?.locations ?? []).toReversed().flatMap(({ component, textRange, msg }) => {
    const filePath = paths.get(component ?? '');
    if (filePath === undefined || !textRange) return [];
    return [{ filePath, line: textRange.startLine, endLine: textRange.endLine, message: msg ?? '' }];
  });

function stateOf({ status, issueStatus, resolution }: SonarIssue): ScannerResult['state'] {
  if (resolution === 'FIXED' || resolution === 'REMOVED' || issueStatus === 'FIXED') return 'fixed';
  const isDismissed = issueStatus === 'ACCEPTED' || issueStatus === 'FALSE_POSITIVE' || status === 'RESOLVED';
  return isDismissed ? 'suppressed' : 'open';
}

const dismissalOf = ({ resolution, issueStatus }: SonarIssue): string =>
  resolution === 'FALSE-POSITIVE' || issueStatus === 'FALSE_POSITIVE' ? 'false positive' : 'accepted';

const assessmentOf = (state: string | null, language: string | null, notes: string) => ({
  state,
  cvss: null,
  confidence: null,
  language,
  notes,
});

function timeOf(text: string | null | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) || at > Date.now() ? null : new Date(at).toISOString();
}
