/** By what somebody is known: what is looked for in texts. */
export interface ErasedNames {
  emails: string[];
  /** As code hosts call them. */
  logins: string[];
  /** As people call them. */
  names: string[];
  /** Addresses of pictures: they hold an id. */
  pictures: string[];
}

export const erasedName = 'Deleted person';
export const erasedWord = 'erased';

export interface Scrub {
  /** What a text that is looked at must hold one of, whatever the case. */
  needles: readonly string[];
  text: (text: string) => string;
  /** The same of every string in a value of JSON. */
  value: (value: unknown) => unknown;
}

// Too short to be told from a part of something else: these are taken out only where a column says whose they are.
const shortest = 3;
const letter = '\\p{L}\\p{N}_';

/** What takes these names out of texts: whole words alone, so that nobody loses a part of another name. */
export function scrubOf({ emails, logins, names, pictures }: ErasedNames): Scrub {
  const long = (values: readonly string[]) => values.filter((value) => [...value].length >= shortest);
  const full = long(names).filter(isFull);
  const single = long(names).filter((name) => !isFull(name));
  const rules: [RegExp, string][] = [
    ...long(pictures).map((url): [RegExp, string] => [new RegExp(escaped(url), 'g'), '']),
    ...rule(long(emails), { before: `(?<![${letter}.%+-])`, after: `(?![${letter}-])`, flags: 'giu', by: erasedWord }),
    ...rule(full, { before: `(?<![${letter}])`, after: `(?![${letter}])`, flags: 'giu', by: erasedName }),
    ...rule(long(logins), { before: `(?<![${letter}-])`, after: `(?![${letter}-])`, flags: 'giu', by: erasedWord }),
    // A single name may be a word of the language: "Mark", "Will".
    ...rule(single, { before: `(?<![${letter}])`, after: `(?![${letter}])`, flags: 'gu', by: erasedName }),
  ];
  const text = (given: string) => rules.reduce((result, [pattern, by]) => result.replace(pattern, by), given);
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, one]) => [key, value(one)]));
  };
  return { needles: long([...pictures, ...emails, ...names, ...logins]), text, value };
}

const isFull = (name: string) => /\s/.test(name);

function rule(
  values: readonly string[],
  { before, after, flags, by }: { before: string; after: string; flags: string; by: string },
): [RegExp, string][] {
  if (values.length === 0) return [];
  const longestFirst = values.toSorted((one, other) => other.length - one.length).map(escaped);
  return [[new RegExp(`${before}(?:${longestFirst.join('|')})${after}`, flags), by]];
}

const escaped = (value: string) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
