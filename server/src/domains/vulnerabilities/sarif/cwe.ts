import type { RunHead, SarifComponent } from './log.ts';
import { columnInteger, type JsonRecord, listOrEmpty, storableText, valueAt } from './shapes.ts';

/** The number of a CWE as written in tags: `external/cwe/cwe-079`, `CWE-79: …`, `CWE_79`. */
const cwePattern = /cwe[-_/ ]{0,2}0*(\d{1,5})(?!\d)/gi;

/** Returns the CWEs named in a text. */
export function cwesIn(value: unknown): number[] {
  const text = storableText(value, 5000);
  if (text === undefined) return [];
  return [...text.matchAll(cwePattern)].map(([, number]) => Number(number)).filter((number) => number > 0);
}

/** Parses `properties.cwe` of scanners: a number, a text, or a list of them. */
export const cwesOfProperty = (value: unknown): number[] =>
  [value].flat().flatMap((one) => {
    const number = columnInteger(one);
    return number === undefined ? cwesIn(/^\d{1,5}$/.test(String(one)) ? `CWE-${one}` : one) : [number];
  });

/** Returns the CWEs that a rule or result references by taxa, apart from its tags. */
export function cwesOfReferences(head: RunHead, references: readonly unknown[]): number[] {
  return references.flatMap((reference) => {
    const id = storableText(valueAt(reference, 'id'), 100);
    if (id === undefined) return [];
    const named = cwesIn(id);
    if (named.length > 0) return named;
    return /^\d{1,5}$/.test(id) && taxonomyOf(head, reference).toLowerCase() === 'cwe' ? [Number(id)] : [];
  });
}

/** Returns the name of the taxonomy of a reference; empty if the file does not name it. */
export function taxonomyOf(head: RunHead, reference: unknown): string {
  const component = valueAt(reference, 'toolComponent');
  const name = storableText(valueAt(component, 'name'), 100);
  if (name !== undefined) return name;
  const guid = storableText(valueAt(component, 'guid'), 100)?.toLowerCase();
  const index = valueAt(component, 'index');
  const all: (SarifComponent | undefined)[] = [...head.taxonomies, ...head.extensions];
  const byGuid = guid === undefined ? undefined : all.find((one) => one?.guid === guid);
  return (byGuid ?? (typeof index === 'number' ? head.taxonomies[index] : undefined))?.name ?? '';
}

/** Returns the taxa that a rule references. */
export const taxonReferencesOf = (rule: JsonRecord): unknown[] =>
  listOrEmpty(rule.relationships).map((relationship) => valueAt(relationship, 'target'));

const owasp = /owasp[-_ :]*(?:top[-_ ]?(?:10|ten)[-_ ]*)?(?:(\d{4})[-_ :]*)?a0?(\d{1,2})(?:[-_ :]*(\d{4}))?/i;

/** Parses a tag about the OWASP Top 10, such as `OWASP-A03:2021 - Injection`. Undefined without a year. */
export function owaspControlOfTag(tag: string): { framework: string; control: string } | undefined {
  const [, before, number, after] = owasp.exec(tag) ?? [];
  const year = after ?? before;
  if (number === undefined || year === undefined || Number(number) > 10) return undefined;
  return { framework: `OWASP Top 10 ${year}`, control: `A${year === '2017' ? number : number.padStart(2, '0')}` };
}
