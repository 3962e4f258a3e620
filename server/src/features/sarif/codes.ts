import type { Result } from '#providers/scanner.ts';

type Code = Result['codes'][number];

const cve = /CVE-\d{4}-\d{4,9}/gi;
const ghsa = /GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}/gi;

/** The weaknesses and advisories that a few texts name, each once: CWEs first. */
export function codesOf(cwes: readonly number[], texts: readonly (string | undefined)[]): Code[] {
  const text = texts.filter((part) => part !== undefined).join('\n');
  const found = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([id]) => id))];
  return [
    ...cwes.map((number): Code => ({ kind: 'cwe', id: `CWE-${number}`, url: cweUrl(number) })),
    ...unique(found(cve).map((id) => id.toUpperCase())).map(
      (id): Code => ({ kind: 'cve', id, url: `https://nvd.nist.gov/vuln/detail/${id}` }),
    ),
    ...unique(found(ghsa).map((id) => `GHSA${id.slice(4).toLowerCase()}`)).map(
      (id): Code => ({ kind: 'ghsa', id, url: `https://github.com/advisories/${id}` }),
    ),
  ];
}

const unique = (ids: string[]) => [...new Set(ids)].slice(0, 50);
const cweUrl = (number: number) => `https://cwe.mitre.org/data/definitions/${number}.html`;
