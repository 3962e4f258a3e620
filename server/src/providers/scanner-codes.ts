import type { ScannerResult } from './scanner.ts';

type Code = ScannerResult['codes'][number];

/** A code, such as `CWE-89` or `CVE-2021-44228`, with the URL of its description. */
export const codeOf = (kind: Code['kind'], id: string): Code => ({ kind, id, url: pages[kind](id) });

export const cweOf = (number: number): Code => codeOf('cwe', `CWE-${number}`);

const pages = {
  cwe: (id: string) => `https://cwe.mitre.org/data/definitions/${id.slice('CWE-'.length)}.html`,
  cve: (id: string) => `https://nvd.nist.gov/vuln/detail/${id}`,
  ghsa: (id: string) => `https://github.com/advisories/${id}`,
};
