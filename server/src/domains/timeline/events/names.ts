import type { EventPart } from './part.ts';

/** Words and values that an asterisk may stand for, as `field`, line break, value; each with its term. */
export interface EventNames {
  names: string[];
  terms: number[];
}

interface NameCache {
  since: number;
  /** Parts whose names are all written. */
  parts: Set<EventPart>;
  names: Set<string>;
}

// What this process has written for each organization, so that it is not written again. Forgotten as a whole: then some
// names are written twice, and the second time is nothing.
const written = new Map<string, NameCache>();
const mostOrganizations = 500;
const mostNames = 50_000;
// Names that no event has are deleted two days after that is seen; by then nobody may take them for written.
const longest = 24 * 60 * 60_000;

/** The names of these parts that were not written by this process so far. Once they are, `learn` them. */
export function newNamesOf(orgId: string, parts: readonly EventPart[]): EventNames {
  const known = knownOf(orgId);
  const found = new Map<string, number>();
  for (const part of parts) {
    if (known?.parts.has(part)) continue;
    part.names.forEach((name, place) => {
      if (!known?.names.has(name)) found.set(name, part.nameTerms[place] ?? 0);
    });
  }
  return { names: [...found.keys()], terms: [...found.values()] };
}

/** What these parts hold is written, and need not be again. */
export function learn(orgId: string, parts: readonly EventPart[], { names }: EventNames): void {
  if (!written.has(orgId) && written.size >= mostOrganizations) written.clear();
  const known = knownOf(orgId) ?? { since: Date.now(), parts: new Set(), names: new Set() };
  written.set(orgId, known);
  for (const part of parts) if (part.isKept) known.parts.add(part);
  for (const name of names) known.names.add(name);
  if (known.parts.size + known.names.size > mostNames) written.delete(orgId);
}

function knownOf(orgId: string): NameCache | undefined {
  const known = written.get(orgId);
  return known && Date.now() - known.since < longest ? known : undefined;
}

/** Leaves names to be written: `$1` is the organization, they and their terms the parameters from `from` on. */
export const namesInsert = (from: number) =>
  `insert into posting_pending (org_id, events, as_of, id, terms, places, names, name_terms)
   select $1::uuid, 0, '{}', '{}', '{}', '{}', $${from}::text[], $${from + 1}::bigint[]`;
