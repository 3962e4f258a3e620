import type { Result } from '#providers/scanner.ts';
import { codeOf, cweOf } from '#providers/scanner-codes.ts';
import type { RawResult } from './result-shapes.ts';

/** The weaknesses a result names: a number, "599", "CWE-22"; not "NVD-CWE-Other", nor nothing. */
export function cwesOf({ vulnerabilityDetails }: RawResult): number[] {
  const [, digits] = /^(?:CWE-)?0*(\d{1,5})$/i.exec(vulnerabilityDetails.cweId ?? '') ?? [];
  const number = Number(digits ?? 0);
  return number > 0 ? [number] : [];
}

const advisory = /\b(GHSA(?:-[a-z0-9]{4}){3})\b/i;
const cve = /^CVE-\d{4}-\d{4,}$/i;

/** The CVE or Checkmarx's own id of a vulnerable package; a CWE or nothing may stand where a CVE should. */
export function vulnerabilityOf({ vulnerabilityDetails, id, similarityId }: RawResult): string | null {
  const names = [vulnerabilityDetails.cveName, id, similarityId].filter((name) => name !== null);
  return (
    names.find((name) => cve.test(name))?.toUpperCase() ??
    names.find((name) => /^(Cx|GHSA-)[\w-]+$/.test(name)) ??
    names.find((name) => !/^(NVD-)?CWE-/i.test(name)) ??
    null
  );
}

/** CWE, CVE and GHSA with the pages that explain them. */
export function codesOf(raw: RawResult): Result['codes'] {
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

/** `Npm-debug-2.6.4`, or a name and a version of their own; null where no package is named. */
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
  const rest = packageIdentifier.replace(/^[A-Za-z]+-/, '');
  // The last part that looks like a version: names have dashes and digits too, and so do versions.
  const [, name, version] = /^(.+)-(v?\d+\.\d.*)$/.exec(rest) ?? /^(.+)-(v?\d.*)$/.exec(rest) ?? [];
  return { name: name ?? rest, version: version ?? packageVersion };
}
