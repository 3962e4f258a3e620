import type { SarifLog } from './log.ts';

/** Formats other than SARIF, recognized by the keys of the document. */
const knownFormats: readonly (readonly [what: string, ...keys: string[]])[] = [
  ['a report of Checkmarx One', 'results', 'totalCount', 'scanID'],
  ['an answer of the Checkmarx One API', 'results', 'totalCount'],
  ['a report of Checkmarx One', 'scanResults'],
  ['a report of Checkmarx KICS', 'kics_version'],
  ['a report of GitLab', 'vulnerabilities', 'scan'],
  ['a report of GitLab', 'vulnerabilities', 'version'],
  ['a CycloneDX document', 'bomFormat'],
  ['an SPDX document', 'spdxVersion'],
  ['Trivy JSON', 'SchemaVersion', 'ArtifactName'],
  ['Grype JSON', 'matches', 'descriptor'],
  ['Snyk JSON', 'vulnerabilities', 'projectName'],
  ['Semgrep JSON', 'results', 'errors', 'paths'],
  ['Bandit JSON', 'results', 'errors', 'metrics'],
  ['Checkov JSON', 'check_type'],
  ['npm audit JSON', 'auditReportVersion'],
  ['Dependency-Check JSON', 'reportSchema', 'dependencies'],
  ['an export of SonarQube', 'issues', 'paging'],
  ['Scorecard JSON', 'checks', 'scorecard'],
];

/** Describes a JSON document that is no SARIF log, for the error message of an upload. */
export function describeForeignJson({ keys, root }: SarifLog): string {
  if (!keys) return `it is ${root}, and a SARIF log is an object with "version" and "runs"`;
  const found = knownFormats.find(([, ...required]) => required.every((key) => keys.has(key)))?.[0];
  return found === undefined ? 'it has no "runs"' : `it looks like ${found}`;
}

const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^PK[^\w\s]{2}/, 'a ZIP archive: unpack it and send the file inside'],
  [/^%PDF/, 'a PDF'],
  [/^\s*<\?xml/, 'XML'],
  [/^\s*<(!doctype )?html/i, 'an HTML page'],
  [/^\s*</, 'XML'],
  [/^\x28\xb5\x2f\xfd/, 'packed with Zstandard: send it as it is, or packed with gzip'],
  [/^BZh/, 'packed with bzip2: send it as it is, or packed with gzip'],
  [/^\xfd7zXZ/, 'packed with xz: send it as it is, or packed with gzip'],
];

/** Names the format of data that is no JSON, by its first bytes, for the same message; undefined if unknown. */
export const formatOfFirstBytes = (head: Buffer): string | undefined =>
  beginnings.find(([pattern]) => pattern.test(head.subarray(0, 100).toString('latin1')))?.[1];
