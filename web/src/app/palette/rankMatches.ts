/** The distance of a text from the query words, smaller is better; undefined if a word does not occur. */
export function matchDistance(query: string, label: string, synonyms = ''): number | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [name, all] = [label.toLowerCase(), `${label} ${synonyms}`.toLowerCase()];
  if (!words.every((word) => all.includes(word))) return undefined;
  const phrase = words.join(' ');
  if (name.startsWith(phrase)) return 0;
  if (words.every((word) => beginsWord(name, word))) return 1;
  if (words.every((word) => name.includes(word))) return 2;
  return words.every((word) => beginsWord(all, word)) ? 3 : 4;
}

/** The matching items, best first, and stable for equal matches. All items for an empty query. */
export function rankMatches<T extends { label: string; synonyms?: string }>(query: string, all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, rank: matchDistance(query, one.label, one.synonyms) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ one }) => one);
}

const beginsWord = (text: string, word: string) => ` ${text}`.includes(` ${word}`);
