import type { Font } from 'fontkit';

/** Writes texts so that fonts can draw them. */
export interface Letters {
  /** The text with every character that no font has, or that a PDF/A must not hold, written by its number. */
  spelt: (text: string) => string;
}

/**
 * Reads which characters of some texts fonts have. Throws for what is no font. All fonts have ASCII: where the texts hold nothing else, no font is
 * opened, since that takes as long as drawing a short report.
 */
export async function lettersOf(paths: readonly string[], texts: string): Promise<Letters> {
  const fonts = isAscii.test(texts) ? [] : await openFonts(paths);
  const known = new Map<string, boolean>();
  const isKnown = (character: string): boolean => {
    const found = known.get(character) ?? (isAscii.test(character) || isIn(fonts, character));
    known.set(character, found);
    return found;
  };
  return {
    spelt: (text) => breakable(isPlain.test(text) ? text : shown(text.replace(/\s+/gu, ' '), isKnown)),
  };
}

async function openFonts(paths: readonly string[]): Promise<Font[]> {
  const { openSync } = await import('fontkit');
  return paths.map((path) => openSync(path) as Font);
}

const isIn = (fonts: readonly Font[], character: string): boolean =>
  fonts.some((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));

const shown = (text: string, isKnown: (character: string) => boolean): string =>
  [...text]
    .map((character) => (isKnown(character) && !unseen.test(character) ? character : numberOf(character)))
    .join('');

// Each is drawn as it stands.
const isPlain = /^(?:[!-~]| (?! ))*$/;
const isAscii = /^\p{ASCII}*$/u;

// What is not drawn, of which nobody could say what it is, or that no standard knows.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u;

const numberOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** A long word without a place to break it would run out of its column: it gets some that nobody sees. */
const breakable = (text: string): string =>
  text.replace(/[^\s-]{24,}/gu, (word) => word.replace(/.{12}/gu, `$&${breakHere}`));

/** A space without width. */
const breakHere = '\u200B';
