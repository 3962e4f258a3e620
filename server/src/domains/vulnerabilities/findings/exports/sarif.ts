import type { Severity } from '@sightline/contract/core/severities.ts';
import type { FindingLine } from './lines.ts';

/** The findings of one scanner, in batches. */
export interface SarifRun {
  name: string;
  batches: AsyncIterable<readonly FindingLine[]>;
}

/** Serializes a SARIF 2.1.0 log with a run for each scanner. Results refer to rules by ID; the rules follow them. */
export async function* serializeSarif(
  runs: Iterable<SarifRun>,
  linkOf: (id: string) => string,
): AsyncGenerator<string> {
  yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[';
  let between = '\n';
  for (const { name, batches } of runs) {
    const rules = new Map<string, object>();
    let before = `${between}{"results":[\n`;
    for await (const lines of batches) {
      for (const line of lines) if (!rules.has(line.ruleId)) rules.set(line.ruleId, ruleOf(line));
      yield before + lines.map((line) => JSON.stringify(resultOf(line, linkOf))).join(',\n');
      before = ',\n';
    }
    const isEmpty = rules.size === 0;
    const driver = { name, rules: [...rules.values()] };
    yield `${isEmpty ? before : ''}],"columnKind":"utf16CodeUnits","tool":${JSON.stringify({ driver })}}`;
    between = ',\n';
  }
  yield '\n]}\n';
}

const levels: Record<Severity, string> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'none',
};
// The middle of the score range of each severity. Informational findings have no score.
const scores = { critical: '9.5', high: '8.0', medium: '5.5', low: '2.0', info: undefined } as const;
const scoreOf = (severity: Severity) => (scores[severity] ? { 'security-severity': scores[severity] } : {});

const ruleOf = ({ ruleId, title, severity, codes }: FindingLine) => ({
  id: ruleId,
  shortDescription: { text: title },
  defaultConfiguration: { level: levels[severity] },
  properties: {
    ...scoreOf(severity),
    tags: [
      ...new Set([
        'security',
        ...codes.map(({ id }) => (id.startsWith('CWE-') ? `external/cwe/${id.toLowerCase()}` : id)),
      ]),
    ],
  },
});

function resultOf(line: FindingLine, linkOf: (id: string) => string) {
  const { ruleId, severity, status, title, message, coordinate, fingerprint, isNew } = line;
  return {
    ruleId,
    level: levels[severity],
    kind: severity === 'info' ? 'informational' : 'fail',
    message: { text: message || title },
    baselineState: status === 'fixed' ? 'absent' : isNew ? 'new' : 'unchanged',
    locations: coordinate === null ? [] : [locationOf(coordinate)],
    fingerprints: { 'sightline/v1': fingerprint },
    suppressions: suppressionsOf(line),
    hostedViewerUri: linkOf(line.id),
    properties: {
      ...scoreOf(severity),
      severity,
      category: line.category,
      status,
      repository: line.repository.fullName,
      ref: line.ref.ref,
      ...(line.commit !== null && { commit: line.commit }),
      discovered: line.discoverDate,
    },
  };
}

const locationOf = ({ filePath, line, endLine }: NonNullable<FindingLine['coordinate']>) => ({
  physicalLocation: {
    artifactLocation: { uri: filePath.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
    ...(line !== null && { region: { startLine: line, ...(endLine !== null && endLine >= line && { endLine }) } }),
  },
});

/** A decision is an external suppression; a requested waiver is under review. */
function suppressionsOf({ status, reason, exception }: FindingLine): object[] {
  const justification = reason ?? exception?.reason;
  const because = justification ? { justification } : {};
  if (status === 'dismissed' || status === 'exception') return [{ kind: 'external', status: 'accepted', ...because }];
  if (exception?.state === 'requested') return [{ kind: 'external', status: 'underReview', ...because }];
  return [];
}
