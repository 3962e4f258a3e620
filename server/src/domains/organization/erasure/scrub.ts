/** The names of a person, which an erasure searches in texts. */
export interface ErasedNames {
  emails: string[];
  /** Logins at code hosts. */
  logins: string[];
  /** Display names. */
  names: string[];
  /** URLs of pictures, which contain an ID. */
  pictures: string[];
}

export const erasedName = 'Deleted person';
export const erasedPlaceholder = 'erased';

export interface NameScrub {
  /** A text without any of these, ignoring case, needs no scrubbing. */
  needles: readonly string[];
  text: (text: string) => string;
  /** Scrubs every string in a JSON value. */
  value: (value: unknown) => unknown;
}

// Shorter names are ambiguous in texts. They are removed only from columns that belong to the person.
const minLength = 3;
const letter = '\\p{L}\\p{N}_';

/** Builds the scrub of these names. It replaces whole words only, and so no part of another name. */
export function createNameScrub({ emails, logins, names, pictures }: ErasedNames): NameScrub {
  const long = (values: readonly string[]) => values.filter((value) => [...value].length >= minLength);
  const full = long(names).filter(isFull);
  const single = long(names).filter((name) => !isFull(name));
  const rules: [RegExp, string][] = [
    ...long(pictures).map((url): [RegExp, string] => [new RegExp(escaped(url), 'g'), '']),
    ...rule(long(emails), {
      before: `(?<![${letter}.%+-])`,
      after: `(?![${letter}-])`,
      flags: 'giu',
      by: erasedPlaceholder,
    }),
    ...rule(full, { before: `(?<![${letter}])`, after: `(?![${letter}])`, flags: 'giu', by: erasedName }),
    ...rule(long(logins), {
      before: `(?<![${letter}-])`,
      after: `(?![${letter}-])`,
      flags: 'giu',
      by: erasedPlaceholder,
    }),
    // A single-word name may be an ordinary word, such as "Mark" or "Will".
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
