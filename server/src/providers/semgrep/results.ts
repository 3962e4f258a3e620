import type { Severity } from '@sightline/contract/core/severities.ts';
import type { LocationRegion, RejectedResult, ScannerResult } from '../scanner.ts';
import { codeOf, cweOf } from '../scanner-codes.ts';
import type { SemgrepFinding } from './shapes.ts';

const severities: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
};

/**
 * Converts a finding. Its identity is the rule, the path and the match-based ID, which the SARIF of Semgrep contains as
 * the fingerprint `matchBasedId/v1`.
 */
export function semgrepResultOf(finding: SemgrepFinding): ScannerResult | RejectedResult {
  const { rule, location, found_dependency: dependency, match_based_id: matchId } = finding;
  const ruleId = rule?.name ?? finding.rule_name;
  if (!ruleId) return { place: `findings ${finding.id}`, reason: 'has no rule' };
  const severity = severities[finding.severity?.toLowerCase() ?? ''];
  const cwes = (rule?.cwe_names ?? []).flatMap((name) => Number(/^CWE-(\d{1,5})\b/i.exec(name)?.[1] ?? 0) || []);
  const numbers = [...new Set(cwes)].slice(0, 50);
  const message = rule?.message ?? finding.rule_message ?? '';
  const state = stateOf(finding);
  const region = regionOf(location);
  return {
    ruleId,
    ruleName: null,
    title: titleOf(finding) ?? ruleId,
    description: '',
    message,
    severity: severity ?? 'info',
    ...(severity === undefined && { severityTold: false }),
    category: dependency ? 'sca' : 'sast',
    cwes: numbers,
    codes: [...numbers.map(cweOf), ...advisoriesOf(finding)],
    path: location?.file_path || null,
    line: location?.line ?? null,
    endLine: location?.end_line ?? location?.line ?? null,
    snippet: null,
    content: matchId ? `matchBasedId/v1=${matchId}` : null,
    flow: [],
    ...(region && { evidence: { region, locations: [], relatedLocations: [], otherFlows: [], fixes: [] } }),
    package: packageOf(finding),
    references: [],
    compliances: [],
    discoveredAt: timeOf(finding.created_at),
    state,
    suppressed: state === 'suppressed' ? dismissalOf(finding) : null,
    assessment: {
      state: finding.status ?? null,
      cvss: null,
      confidence: finding.confidence ?? null,
      language: null,
      notes: finding.triage_comment ?? '',
    },
    scannerReference: { url: finding.line_of_code_url ?? null, number: finding.id },
  };
}

function titleOf({ rule, found_dependency: found }: SemgrepFinding): string | undefined {
  const weakness = rule?.vulnerability_classes?.[0];
  return weakness !== undefined && found ? `${weakness} in ${found.package}` : weakness;
}

const dismissalOf = ({ triage_reason, triage_comment }: SemgrepFinding) => ({
  reason: triage_reason?.replaceAll('_', ' ') || 'ignored',
  comment: triage_comment ?? '',
});

function packageOf({ found_dependency: found, fix_recommendations }: SemgrepFinding): ScannerResult['package'] {
  if (!found) return null;
  const fixedIn = fix_recommendations?.find((one) => one.package === found.package)?.version ?? null;
  return { name: found.package, version: found.version ?? null, fixedIn };
}

function advisoriesOf({ vulnerability_identifier: id }: SemgrepFinding): ScannerResult['codes'][number][] {
  if (/^CVE-\d{4}-\d{4,}$/i.test(id ?? '')) return [codeOf('cve', (id ?? '').toUpperCase())];
  return /^GHSA(-[a-z0-9]{4}){3}$/i.test(id ?? '') ? [codeOf('ghsa', (id ?? '').replace(/^ghsa/i, 'GHSA'))] : [];
}

function regionOf(location: SemgrepFinding['location']): LocationRegion | null {
  return location?.column == null
    ? null
    : { column: location.column, endColumn: location.end_column ?? null, offset: null };
}

// `provisionally_ignored` is a suggestion of the assistant that no person accepted.
const states: Readonly<Record<string, ScannerResult['state']>> = { fixed: 'fixed', ignored: 'suppressed' };

const stateOf = ({ status, state }: SemgrepFinding): ScannerResult['state'] =>
  states[status?.toLowerCase() ?? ''] ?? (state === 'fixed' ? 'fixed' : 'open');

function timeOf(text: string | null | undefined): string | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) || at > Date.now() ? null : new Date(at).toISOString();
}
