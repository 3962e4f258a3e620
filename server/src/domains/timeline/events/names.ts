import type { EventPart } from './part.ts';

/** Words and values that an asterisk can match, as field, line break and value; each with its term. */
export interface EventNames {
  names: string[];
  terms: number[];
}

interface NameCache {
  since: number;
  /** Parts with all names written. */
  parts: Set<EventPart>;
  names: Set<string>;
}

// Names that this process has written per organization, to avoid repeated writes. The cache is cleared completely;
// writing a name again has no effect.
const written = new Map<string, NameCache>();
const maxOrganizations = 500;
const maxNames = 50_000;
// Unused names are deleted after two days; cache entries must expire before.
const maxAgeMs = 24 * 60 * 60_000;

/** The names of these parts that this process has not written yet. Call `learn` after writing them. */
export function newNamesOf(orgId: string, parts: readonly EventPart[]): EventNames {
  const known = cacheOf(orgId);
  const found = new Map<string, number>();
  for (const part of parts) {
    if (known?.parts.has(part)) continue;
    part.names.forEach((name, place) => {
      if (!known?.names.has(name)) found.set(name, part.nameTerms[place] ?? 0);
    });
  }
  return { names: [...found.keys()], terms: [...found.values()] };
}

/** Caches that the names of these parts are written. */
export function rememberWrittenNames(orgId: string, parts: readonly EventPart[], { names }: EventNames): void {
  if (!written.has(orgId) && written.size >= maxOrganizations) written.clear();
  const known = cacheOf(orgId) ?? { since: Date.now(), parts: new Set(), names: new Set() };
  written.set(orgId, known);
  for (const part of parts) if (part.isKept) known.parts.add(part);
  for (const name of names) known.names.add(name);
  if (known.parts.size + known.names.size > maxNames) written.delete(orgId);
}

function cacheOf(orgId: string): NameCache | undefined {
  const known = written.get(orgId);
  return known && Date.now() - known.since < maxAgeMs ? known : undefined;
}

/** SQL that queues names: `$1` is the organization; names and terms are the parameters from `from` on. */
export const namesInsertSql = (from: number) =>
  `insert into posting_pending (org_id, events, as_of, id, terms, places, names, name_terms)
   select $1::uuid, 0, '{}', '{}', '{}', '{}', $${from}::text[], $${from + 1}::bigint[]`;
