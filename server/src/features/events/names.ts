import type { NewEvent } from './commands.ts';
import { type Field, fieldsOf } from './fields.ts';
import { termOf, wordsOf } from './words.ts';

/** Words and values that an asterisk may stand for, as `field`, line break, value; each with its term. */
export interface Names {
  names: string[];
  terms: number[];
}

interface Known {
  /** Words, and short texts whose words are all known. */
  texts: Set<string>;
  values: Map<Field, Set<string>>;
}

// What this process has written for each organisation, so that it is not written again. Forgotten as a whole: then some
// names are written twice, and the second time is nothing.
const known = new Map<string, Known>();
const mostOrganizations = 500;
const mostTexts = 50_000;
const oftenShort = 40;

/** The names of these events that were not written by this process so far. Once they are, `learn` them. */
export function newNamesOf(orgId: string, events: readonly NewEvent[]): Names {
  const { texts, values } = knownOf(orgId);
  const found = new Map<string, number>();
  const addWords = (text: string) => {
    if (texts.has(text)) return;
    for (const word of wordsOf(text)) {
      if (!texts.has(word) && !isMachines(word)) found.set(`word\n${word}`, termOf(word));
    }
  };
  for (const event of events) {
    for (const { display } of event.summary.parameters) addWords(display);
    addWords(event.words);
    for (const [field, ofField] of fieldsOf(event)) {
      // Commits are asked for by the beginning of their sha, which needs no list of them.
      if (field === 'sha') continue;
      for (const value of ofField) {
        if (values.get(field)?.has(value)) continue;
        const name = `${field}\n${value}`;
        found.set(name, termOf(name));
      }
    }
  }
  return { names: [...found.keys()], terms: [...found.values()] };
}

/** What these events hold is written, and need not be again. */
export function learn(orgId: string, events: readonly NewEvent[], { names }: Names): void {
  if (names.length === 0) return;
  const { texts, values } = knownOf(orgId);
  for (const { summary } of events) {
    for (const { display } of summary.parameters) if (display.length <= oftenShort) texts.add(display);
  }
  for (const name of names) {
    const cut = name.indexOf('\n');
    const [field, value] = [name.slice(0, cut), name.slice(cut + 1)];
    if (field === 'word') texts.add(value);
    else {
      const ofField = values.get(field as Field) ?? new Set();
      values.set(field as Field, ofField.add(value));
    }
  }
  const size = [...values.values()].reduce((sum, ofField) => sum + ofField.size, texts.size);
  if (size > mostTexts) known.delete(orgId);
}

// Hashes and long numbers: nobody types the beginning of one as a word, and each comes once.
const isMachines = (word: string) => word.length >= 7 && /^(?:\d+|(?=.*\d)[0-9a-f]+)$/.test(word);

function knownOf(orgId: string): Known {
  const found = known.get(orgId);
  if (found) return found;
  if (known.size >= mostOrganizations) known.clear();
  const fresh: Known = { texts: new Set(), values: new Map() };
  known.set(orgId, fresh);
  return fresh;
}

/** Leaves names to be written: `$1` is the organisation, they and their terms the parameters from `from` on. */
export const namesInsert = (from: number) =>
  `insert into posting_pending (org_id, events, as_of, id, terms, places, names, name_terms)
   select $1::uuid, 0, '{}', '{}', '{}', '{}', $${from}::text[], $${from + 1}::bigint[]`;
