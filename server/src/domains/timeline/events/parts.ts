import type { Parameter } from '@sightline/contract/timeline/events.ts';
import {
  type FieldValue,
  termsOfValue,
  valuesOfDetail,
  valuesOfOwnFields,
  valuesOfParameter,
  valuesOfSource,
} from './fields.ts';
import type { EventContent, NewEvent } from './new-event.ts';
import type { EventPart } from './part.ts';
import { hashTerm, searchWordsOf } from './terms.ts';

/**
 * The parts of an event: source, parameters of its sentence, details, words and fields. Parameters repeat across
 * events, so their parts are cached and the same object each time.
 */
export function searchPartsOf({ kind, source, summary, detail, words, fields }: EventContent): EventPart[] {
  const parts = [cached(`source\n${source}`, () => partOf('', valuesOfSource(source)))];
  for (const parameter of summary.parameters) {
    parts.push(cachedParameter('', parameter, () => partOf(parameter.display, valuesOfParameter(parameter))));
  }
  for (const one of detail) {
    if (isUnindexed(one)) continue;
    parts.push(cachedParameter(`${kind}\n${one.label}\n`, one.parameter, () => partOf('', valuesOfDetail(kind, one))));
  }
  if (words.length <= maxCachedLength) parts.push(cached(`words\n${words}`, () => partOf(words, [])));
  else parts.push(partOf(words, []));
  if (fields) parts.push(partOf('', valuesOfOwnFields(fields)));
  return parts;
}

/** Most details are texts and numbers that are not indexed. */
const isUnindexed = ({ label, parameter: { kind } }: NewEvent['detail'][number]) =>
  label === 'Sent by' || ((kind === 'text' || kind === 'number' || kind === 'user') && !labels.has(label));
const labels: ReadonlySet<string> = new Set(['Vendor', 'Language', 'Critical', 'High', 'Medium', 'Low', 'Info']);

/** The distinct terms of an event with these parts; at most `most` terms of words. */
export function termsOfParts(parts: readonly EventPart[], most = 64): number[] {
  const terms = new Set<number>();
  for (const { words } of parts) {
    for (const term of words) if (terms.size < most) terms.add(term);
  }
  for (const { values } of parts) for (const term of values) terms.add(term);
  return [...terms];
}

function partOf(text: string, values: readonly FieldValue[]): EventPart {
  const words = text === '' ? [] : searchWordsOf(text);
  const terms = words.map(hashTerm);
  const names: string[] = [];
  const nameTerms: number[] = [];
  words.forEach((word, place) => {
    if (isMachineWord(word)) return;
    names.push(`word\n${word}`);
    nameTerms.push(terms[place] ?? hashTerm(word));
  });
  for (const [field, value] of values) {
    // Commits are found by a prefix of their hash, which needs no names.
    if (field === 'sha') continue;
    const name = `${field}\n${value}`;
    names.push(name);
    nameTerms.push(hashTerm(name));
  }
  return { words: terms, values: values.flatMap(termsOfValue), names, nameTerms, isKept: false };
}

// Hashes and long numbers occur once and are not searched by prefix.
const isMachineWord = (word: string) => word.length >= 7 && /^(?:\d+|(?=.*\d)[0-9a-f]+)$/.test(word);

// Longer texts and commit hashes rarely repeat.
const maxCachedLength = 40;
const rare: ReadonlySet<string> = new Set(['sha', 'commit']);

function cachedParameter(before: string, { kind, ident, display }: Parameter, make: () => EventPart): EventPart {
  if (rare.has(kind) || display.length > maxCachedLength || ident.length > maxCachedLength) return make();
  return cached(`${before}${kind}\n${ident}\n${display}`, make);
}

const known = new Map<string, EventPart>();
const maxCached = 20_000;

function cached(key: string, make: () => EventPart): EventPart {
  const cachedPart = known.get(key);
  if (cachedPart) return cachedPart;
  const part = { ...make(), isKept: true };
  if (known.size >= maxCached) known.clear();
  known.set(key, part);
  return part;
}
