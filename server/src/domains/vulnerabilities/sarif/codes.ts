import type { ScannerResult } from '#providers/scanner.ts';
import { codeOf, cweOf } from '#providers/scanner-codes.ts';

type Code = ScannerResult['codes'][number];

const cve = /CVE-\d{4}-\d{4,9}/gi;
const ghsa = /GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}/gi;

/** Returns the weaknesses and advisories named in texts, each once, CWEs first. */
export function weaknessCodesOf(cwes: readonly number[], texts: readonly (string | undefined)[]): Code[] {
  const text = texts.filter((part) => part !== undefined).join('\n');
  const found = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([id]) => id))];
  return [
    ...cwes.map(cweOf),
    ...unique(found(cve).map((id) => id.toUpperCase())).map((id) => codeOf('cve', id)),
    ...unique(found(ghsa).map((id) => `GHSA${id.slice(4).toLowerCase()}`)).map((id) => codeOf('ghsa', id)),
  ];
}

const unique = (ids: string[]) => [...new Set(ids)].slice(0, 50);
