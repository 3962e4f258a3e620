import type { Font } from 'fontkit';

/** Converts texts to characters that the fonts contain. */
export interface Letters {
  /** Replaces every character that no font has, or that PDF/A forbids, by its code point. */
  spelt: (text: string) => string;
}

/**
 * Determines the characters that fonts contain. Throws for an invalid font. All fonts contain ASCII: if the texts
 * contain nothing else, no font is opened, because that takes as long as a short report.
 */
export async function loadLetters(paths: readonly string[], texts: string): Promise<Letters> {
  const fonts = isAscii.test(texts) ? [] : await openFonts(paths);
  const known = new Map<string, boolean>();
  const isKnown = (character: string): boolean => {
    const found = known.get(character) ?? (isAscii.test(character) || isIn(fonts, character));
    known.set(character, found);
    return found;
  };
  return {
    spelt: (text) => breakable(isPlain.test(text) ? text : drawable(text.replace(/\s+/gu, ' '), isKnown)),
  };
}

async function openFonts(paths: readonly string[]): Promise<Font[]> {
  const { openSync } = await import('fontkit');
  return paths.map((path) => openSync(path) as Font);
}

const isIn = (fonts: readonly Font[], character: string): boolean =>
  fonts.some((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));

const drawable = (text: string, isKnown: (character: string) => boolean): string =>
  [...text]
    .map((character) => (isKnown(character) && !undrawable.test(character) ? character : numberOf(character)))
    .join('');

// Text that is drawn unchanged.
const isPlain = /^(?:[!-~]| (?! ))*$/;
const isAscii = /^\p{ASCII}*$/u;

// Invisible, private or unassigned characters.
const undrawable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u;

const numberOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Inserts invisible breaks into long words, which would otherwise exceed their column. */
const breakable = (text: string): string =>
  text.replace(/[^\s-]{24,}/gu, (word) => word.replace(/.{12}/gu, `$&${breakHere}`));

/** Zero-width space. */
const breakHere = '\u200B';
