import type { Parameter, Summary } from '@sightline/contract/timeline/events.ts';

/** Everything an event shows that has a name or a text, a line each, in lower case. Parts of words are looked for in it. */
export function shownOf(summary: string, detail: string): string {
  const things = [
    ...(JSON.parse(summary) as Summary).parameters,
    ...(JSON.parse(detail) as { parameter: Parameter }[]).map(({ parameter }) => parameter),
  ];
  const lines = new Set(things.flatMap(({ display, ident }) => [display, ident]));
  // Half a character, which a title may have been cut at, is none that ClickHouse would take.
  return [...lines].join('\n').toLowerCase().toWellFormed();
}

/** What a text with asterisks stands for. They stand for anything but a space; where there is none a word begins or ends. */
export interface Sought {
  /** It holds this in any case. */
  piece: string;
  /** As RE2 reads it; undefined where the piece says it all. */
  pattern: string | undefined;
}

export function soughtOf(text: string): Sought {
  const pieces = text.toLowerCase().toWellFormed().split(/\*+/);
  const piece = pieces.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === '' && last === '' && pieces.length === 3) return { piece, pattern: undefined };
  const literal = pieces.map((one) => one.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')).join('\\S*');
  const begins = first === '' ? '' : '(?:^|[^\\pL\\pN])';
  const ends = last === '' ? '' : '(?:[^\\pL\\pN]|$)';
  return { piece, pattern: `${begins}${literal}${ends}` };
}
