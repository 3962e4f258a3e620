import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { type FieldValue, termsOfValue, valuesGiven, valuesOfDetail, valuesOfSource, valuesOfThing } from './fields.ts';
import type { NewEvent, Telling } from './new-event.ts';
import type { EventPart } from './part.ts';
import { termOf, wordsOf } from './terms.ts';

/**
 * The parts of an event: source, what its sentence names, its details, its words, and what it says of itself. Things come
 * again and again, in one event after the other, so theirs are worked out once and are the same object each time.
 */
export function partsOf({ kind, source, summary, detail, words, fields }: Telling): EventPart[] {
  const parts = [kept(`source\n${source}`, () => partOf('', valuesOfSource(source)))];
  for (const parameter of summary.parameters) {
    parts.push(keptThing('', parameter, () => partOf(parameter.display, valuesOfThing(parameter))));
  }
  for (const one of detail) {
    if (isPlain(one)) continue;
    parts.push(keptThing(`${kind}\n${one.label}\n`, one.parameter, () => partOf('', valuesOfDetail(kind, one))));
  }
  if (words.length <= oftenShort) parts.push(kept(`words\n${words}`, () => partOf(words, [])));
  else parts.push(partOf(words, []));
  if (fields) parts.push(partOf('', valuesGiven(fields)));
  return parts;
}

/** Most details are texts and numbers that nothing is found by. */
const isPlain = ({ label, parameter: { kind } }: NewEvent['detail'][number]) =>
  label === 'Sent by' || ((kind === 'text' || kind === 'number' || kind === 'user') && !labels.has(label));
const labels: ReadonlySet<string> = new Set(['Vendor', 'Language', 'Critical', 'High', 'Medium', 'Low', 'Info']);

/** The terms of an event with these parts, each once; of its words at most `most`. */
export function termsOfParts(parts: readonly EventPart[], most = 64): number[] {
  const terms = new Set<number>();
  for (const { words } of parts) {
    for (const term of words) if (terms.size < most) terms.add(term);
  }
  for (const { values } of parts) for (const term of values) terms.add(term);
  return [...terms];
}

function partOf(text: string, values: readonly FieldValue[]): EventPart {
  const words = text === '' ? [] : wordsOf(text);
  const terms = words.map(termOf);
  const names: string[] = [];
  const nameTerms: number[] = [];
  words.forEach((word, place) => {
    if (isMachines(word)) return;
    names.push(`word\n${word}`);
    nameTerms.push(terms[place] ?? termOf(word));
  });
  for (const [field, value] of values) {
    // Commits are asked for by the beginning of their sha, which needs no list of them.
    if (field === 'sha') continue;
    const name = `${field}\n${value}`;
    names.push(name);
    nameTerms.push(termOf(name));
  }
  return { words: terms, values: values.flatMap(termsOfValue), names, nameTerms, isKept: false };
}

// Hashes and long numbers: nobody types the beginning of one as a word, and each comes once.
const isMachines = (word: string) => word.length >= 7 && /^(?:\d+|(?=.*\d)[0-9a-f]+)$/.test(word);

// Longer texts, and a commit's sha, are rarely told twice.
const oftenShort = 40;
const rare: ReadonlySet<string> = new Set(['sha', 'commit']);

function keptThing(before: string, { kind, ident, display }: Parameter, make: () => EventPart): EventPart {
  if (rare.has(kind) || display.length > oftenShort || ident.length > oftenShort) return make();
  return kept(`${before}${kind}\n${ident}\n${display}`, make);
}

const known = new Map<string, EventPart>();
const mostKept = 20_000;

function kept(key: string, make: () => EventPart): EventPart {
  const there = known.get(key);
  if (there) return there;
  const part = { ...make(), isKept: true };
  if (known.size >= mostKept) known.clear();
  known.set(key, part);
  return part;
}
