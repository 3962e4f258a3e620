import type { Parameter } from '@sightline/contract/timeline/events.ts';

/** The search words of a text: letters and digits of any script, in lower case, distinct, at most `most`. */
export function searchWordsOf(text: string, most = 64): string[] {
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(word.slice(0, 64));
    if (words.size === most) break;
  }
  return [...words];
}

/** The distinct terms of a text, which represent its words in storage and queries. */
export const termsOfText = (text: string, most?: number): number[] => [
  ...new Set(searchWordsOf(text, most).map(hashTerm)),
];

/** The term of a parameter by its ID. No word has this term, since words contain no line break. */
export const termOfParameter = (kind: Parameter['kind'], ident: string): number => hashTerm(`${kind}\n${ident}`);

/**
 * A 53-bit hash of a word. It must be the same in every version of the product, since stored rows depend on it.
 * Two multiplicative 32-bit streams, mixed (after the published cyrb53); collisions in a vocabulary of a million
 * words are improbable, so a hit is not checked again.
 */
export function hashTerm(word: string): number {
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
