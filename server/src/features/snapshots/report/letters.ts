import { type Font, openSync } from 'fontkit';

/** Writes texts so that fonts can draw them. */
export interface Letters {
  /** The text with every character that no font has, or that a PDF/A must not hold, written by its number. */
  spelt: (text: string) => string;
}

/** Reads which characters fonts have. Throws for what is no font. */
export function lettersOf(paths: readonly string[]): Letters {
  const known = new Set(paths.flatMap((path) => (openSync(path) as Font).characterSet));
  return {
    spelt: (text) =>
      breakable(
        [...text.replace(/\s+/gu, ' ')]
          .map((character) =>
            known.has(character.codePointAt(0) ?? 0) && !unseen.test(character) ? character : numberOf(character),
          )
          .join(''),
      ),
  };
}

// What is not drawn, of which nobody could say what it is, or that no standard knows.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u;

const numberOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** A long word without a place to break it would run out of its column: it gets some that nobody sees. */
const breakable = (text: string): string =>
  text.replace(/[^\s-]{24,}/gu, (word) => word.replace(/.{12}/gu, `$&${breakHere}`));

/** A space without width. */
const breakHere = '\u200B';
