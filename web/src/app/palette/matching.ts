/** How well words fit a text, the smaller the better; undefined where one of them is not in it. */
export function fit(query: string, label: string, synonyms = ''): number | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [name, all] = [label.toLowerCase(), `${label} ${synonyms}`.toLowerCase()];
  if (!words.every((word) => all.includes(word))) return undefined;
  const whole = words.join(' ');
  if (name.startsWith(whole)) return 0;
  if (words.every((word) => beginsWord(name, word))) return 1;
  if (words.every((word) => name.includes(word))) return 2;
  return words.every((word) => beginsWord(all, word)) ? 3 : 4;
}

/** Those that fit, the best first; of the same fit in their order. Everything for an empty query. */
export function fitting<T extends { label: string; synonyms?: string }>(query: string, all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, rank: fit(query, one.label, one.synonyms) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ one }) => one);
}

const beginsWord = (text: string, word: string) => ` ${text}`.includes(` ${word}`);
