import { type EventTexts, parsedEventTexts } from '#core/event-text.ts';

/**
 * All names and texts that an event shows, one per line, in lower case. The feed copies it to ClickHouse for the search
 * of partial words.
 */
export function searchableTextOf(stored: EventTexts): string {
  const { summary, detail } = parsedEventTexts(stored);
  const parameters = [...summary.parameters, ...detail.map(({ parameter }) => parameter)];
  const lines = new Set(parameters.flatMap(({ display, ident }) => [display, ident]));
  // A title may be truncated within a surrogate pair, which ClickHouse rejects.
  return [...lines].join('\n').toLowerCase().toWellFormed();
}

/** A condition of ClickHouse for a text with asterisks, which match anything but a space. */
export interface WordPartPattern {
  /** The text contains this, ignoring case. */
  piece: string;
  /** An RE2 pattern; undefined if the piece is sufficient. */
  pattern: string | undefined;
}

/** Converts free text of a query. Without an asterisk at an end of `text`, a word starts or ends there. */
export function wordPartPatternOf(text: string): WordPartPattern {
  const pieces = text.toLowerCase().toWellFormed().split(/\*+/);
  const piece = pieces.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === '' && last === '' && pieces.length === 3) return { piece, pattern: undefined };
  const literal = pieces.map((one) => one.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')).join('\\S*');
  const begins = first === '' ? '' : '(?:^|[^\\pL\\pN])';
  const ends = last === '' ? '' : '(?:[^\\pL\\pN]|$)';
  return { piece, pattern: `${begins}${literal}${ends}` };
}
