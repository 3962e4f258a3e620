import type { Parameter } from '@sightline/contract/timeline/events.ts';

/** Words an event is found by: letters and digits of any script, lower case, each once, at most `most`. */
export function wordsOf(text: string, most = 64): string[] {
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(word.slice(0, 64));
    if (words.size === most) break;
  }
  return [...words];
}

/** The terms of a text, each once: what its words are stored and asked for as. */
export const termsOf = (text: string, most?: number): number[] => [...new Set(wordsOf(text, most).map(termOf))];

/** The term of a thing that a sentence names by its id. No text can hold it: a word has no line break. */
export const termOfThing = (kind: Parameter['kind'], ident: string): number => termOf(`${kind}\n${ident}`);

/**
 * A 53-bit hash of a word, the same in every version of this product: rows are found by it for years.
 * Two multiplicative 32-bit streams, mixed (after the published cyrb53); collisions in a vocabulary of a million
 * words are improbable, so a hit is not checked again.
 */
export function termOf(word: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
