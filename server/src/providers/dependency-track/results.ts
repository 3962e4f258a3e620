import type { Severity } from '@sightline/contract/core/severities.ts';
import { packageOfPurl } from '../purl.ts';
import type { ScannerResult } from '../scanner.ts';
import { codeOf, cweOf } from '../scanner-codes.ts';
import type { TrackedFinding } from './shapes.ts';

const severities: Readonly<Record<string, Severity>> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  INFO: 'info',
};

/**
 * Converts a finding. Its identity is the ID of the vulnerability and the name of the package, as in the SARIF that
 * Dependency-Track exports (`src/main/resources/templates/findings/sarif.peb`).
 */
export function trackedResultOf(finding: TrackedFinding, baseURL: string): ScannerResult {
  const { component, vulnerability, analysis } = finding;
  const { vulnId, title, description, severity } = vulnerability;
  const known = severities[severity?.toUpperCase() ?? ''];
  const cwes = [...(vulnerability.cwes ?? []).map(({ cweId }) => cweId), vulnerability.cweId ?? 0];
  const numbers = [...new Set(cwes.filter((number) => number > 0))].slice(0, 50);
  const state = stateOf(analysis);
  return {
    ruleId: vulnId,
    ruleName: null,
    title: title ?? firstSentence(description) ?? vulnId,
    description: [description?.trim(), vulnerability.recommendation?.trim()].filter(Boolean).join('\n\n'),
    message: '',
    severity: known ?? 'info',
    ...(known === undefined && { severityTold: false }),
    category: 'sca',
    cwes: numbers,
    codes: [...numbers.map(cweOf), ...advisoriesOf(vulnerability)],
    path: null,
    line: null,
    endLine: null,
    snippet: null,
    content: null,
    flow: [],
    package: packageOf(component),
    references: [],
    compliances: [],
    discoveredAt: timeOf(finding.attribution?.attributedOn),
    state,
    suppressed: state === 'suppressed' ? { reason: dismissalOf(analysis?.state), comment: '' } : null,
    assessment: {
      state: analysis?.state ?? null,
      cvss: cvssOf(vulnerability),
      confidence: null,
      language: null,
      notes: '',
    },
    scannerReference: {
      url: `${baseURL}/vulnerabilities/${encodeURIComponent(vulnerability.source ?? 'NVD')}/${encodeURIComponent(vulnId)}`,
      number: vulnerability.uuid ?? null,
    },
  };
}

/** The score of version 3, which most vulnerabilities have, or else of version 4 or 2. */
function cvssOf(found: TrackedFinding['vulnerability']): { score: number; vector: string | null } | null {
  if (found.cvssV3BaseScore != null) return { score: found.cvssV3BaseScore, vector: found.cvssV3Vector ?? null };
  if (found.cvssV4Score != null) return { score: found.cvssV4Score, vector: found.cvssV4Vector ?? null };
  return found.cvssV2BaseScore == null ? null : { score: found.cvssV2BaseScore, vector: null };
}

function packageOf({ purl, name, group, version }: TrackedFinding['component']): ScannerResult['package'] {
  const named = packageOfPurl(purl ?? '');
  return {
    name: named?.name ?? (group ? `${group}/${name}` : name),
    version: version ?? named?.version ?? null,
    fixedIn: null,
  };
}

function advisoriesOf({ vulnId, aliases }: TrackedFinding['vulnerability']): ScannerResult['codes'][number][] {
  const ids = [vulnId, ...(aliases ?? []).flatMap(({ cveId, ghsaId }) => [cveId ?? '', ghsaId ?? ''])];
  return [...new Set(ids)].flatMap((id) => {
    if (/^CVE-\d{4}-\d{4,}$/.test(id)) return [codeOf('cve', id)];
    return /^GHSA(-[a-z0-9]{4}){3}$/.test(id) ? [codeOf('ghsa', id)] : [];
  });
}

// The decisions of an audit in Dependency-Track.
const decided: Readonly<Record<string, string>> = {
  FALSE_POSITIVE: 'false positive',
  NOT_AFFECTED: 'not affected',
};

const dismissalOf = (state: string | null | undefined): string => decided[state ?? ''] ?? 'suppressed in the scanner';

function stateOf(analysis: TrackedFinding['analysis']): ScannerResult['state'] {
  if (analysis?.state === 'RESOLVED') return 'fixed';
  return analysis?.isSuppressed || decided[analysis?.state ?? ''] !== undefined ? 'suppressed' : 'open';
}

const firstSentence = (text: string | null | undefined): string | undefined =>
  /^[^\n]{1,200}?(?=\.\s|\n|$)/.exec(text?.trim() ?? '')?.[0] || undefined;

// `attributedOn` is epoch milliseconds, or a time of the server without a zone in exports.
function timeOf(at: string | number | null | undefined): string | null {
  const time = typeof at === 'number' ? at : Number.NaN;
  return time > 0 && time <= Date.now() ? new Date(time).toISOString() : null;
}
