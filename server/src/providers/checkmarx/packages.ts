import type { ScannerResult } from '#providers/scanner.ts';
import { codeOf, cweOf } from '#providers/scanner-codes.ts';
import type { RawResult } from './result-shapes.ts';

/** The CWE numbers of a result, from `599` or `CWE-22`. Ignores `NVD-CWE-Other` and empty values. */
export function cwesOf({ vulnerabilityDetails }: RawResult): number[] {
  const [, digits] = /^(?:CWE-)?0*(\d{1,5})$/i.exec(vulnerabilityDetails.cweId ?? '') ?? [];
  const number = Number(digits ?? 0);
  return number > 0 ? [number] : [];
}

const advisory = /\b(GHSA(?:-[a-z0-9]{4}){3})\b/i;
const cve = /^CVE-\d{4}-\d{4,}$/i;

/** The CVE or Checkmarx ID of a vulnerable package. The CVE field may be empty or contain a CWE. */
export function vulnerabilityOf({ vulnerabilityDetails, id, similarityId }: RawResult): string | null {
  const names = [vulnerabilityDetails.cveName, id, similarityId].filter((name) => name !== null);
  return (
    names.find((name) => cve.test(name))?.toUpperCase() ??
    names.find((name) => /^(Cx|GHSA-)[\w-]+$/.test(name)) ??
    names.find((name) => !/^(NVD-)?CWE-/i.test(name)) ??
    null
  );
}

/** The CWE, CVE and GHSA IDs with their URLs. */
export function codesOf(raw: RawResult): ScannerResult['codes'] {
  const { vulnerabilityDetails, id, similarityId, data } = raw;
  const cves = [vulnerabilityDetails.cveName, id, similarityId].flatMap((name) =>
    name !== null && cve.test(name) ? [name.toUpperCase()] : [],
  );
  const ghsas = data.packageData.flatMap(({ url }) => advisory.exec(url)?.[1]?.replace(/^ghsa/i, 'GHSA') ?? []);
  return [
    ...cwesOf(raw).map(cweOf),
    ...[...new Set(cves)].map((name) => codeOf('cve', name)),
    ...[...new Set(ghsas)].map((name) => codeOf('ghsa', name)),
  ];
}

/** The package from `Npm-debug-2.6.4` or from separate name and version; null if there is none. */
export function packageOf({
  packageIdentifier,
  packageName,
  packageVersion,
}: Pick<RawResult['data'], 'packageIdentifier' | 'packageName' | 'packageVersion'>): {
  name: string;
  version: string | null;
} | null {
  if (packageName !== null) return { name: packageName, version: packageVersion };
  if (packageIdentifier === null) return null;
  const nameAndVersion = packageIdentifier.replace(/^[A-Za-z]+-/, '');
  // The last part that resembles a version, because names and versions both contain dashes and digits.
  const [, name, version] = /^(.+)-(v?\d+\.\d.*)$/.exec(nameAndVersion) ?? /^(.+)-(v?\d.*)$/.exec(nameAndVersion) ?? [];
  return { name: name ?? nameAndVersion, version: version ?? packageVersion };
}
