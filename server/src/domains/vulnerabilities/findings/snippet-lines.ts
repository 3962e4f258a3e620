import type { Offset } from '#providers/scanner.ts';

export interface Snippet {
  /** The number of the first line, counted from 1. */
  from: number;
  lines: string[];
}

interface Marked {
  line: number | null;
  endLine: number | null;
  packageName: string | null;
}

const around = 5;
// A scanner may mark a whole function; a page shows so much of it.
const mostMarked = 60;
const widest = 1000;

/** The marked lines of a file with some around them; where none is marked, the first that names the package, or the top. */
export function cutOut(file: readonly string[], { line, endLine, packageName }: Marked): Snippet {
  const first = line ?? lineNaming(file, packageName) ?? 1;
  const last = Math.max(first, Math.min(endLine ?? first, first + mostMarked - 1));
  const from = Math.max(1, Math.min(first, file.length) - around);
  return { from, lines: file.slice(from - 1, last + around).map((text) => text.slice(0, widest)) };
}

function lineNaming(file: readonly string[], name: string | null): number | undefined {
  if (name === null) return undefined;
  const found = file.findIndex((text) => text.toLowerCase().includes(name));
  return found === -1 ? undefined : found + 1;
}

/** The lines of a region that a scanner gives in characters or bytes; those of the end for one behind it. */
export function linesAt(text: string, { unit, from, length }: Offset): { line: number; endLine: number } {
  const before = (end: number) =>
    unit === 'bytes' ? Buffer.from(text).subarray(0, end).toString() : text.slice(0, end);
  const lineOf = (end: number) => before(end).split('\n').length;
  return { line: lineOf(from), endLine: lineOf(from + Math.max(0, (length ?? 0) - 1)) };
}

const blot = '••••••••';

/**
 * An snippet without secrets: the lines in which one was found are blotted out. `isSecret`: it is about one, whose line
 * may have moved since, so that whatever looks like a value is blotted out in the others too.
 */
export function masked(
  { from, lines }: Snippet,
  secrets: readonly { from: number; to: number }[],
  isSecret: boolean,
): Snippet {
  const holds = (number: number) => secrets.some((range) => number >= range.from && number <= range.to);
  return {
    from,
    lines: lines.map((text, index) => {
      if (holds(from + index)) return text.replace(/\S.*$/, blot);
      return isSecret ? text.replace(valueLike, blot) : text;
    }),
  };
}

// What stands in quotes, and long words that no language has.
const valueLike = /(["'`])(?:(?!\1).){4,}\1|[\w+/=.~-]{16,}/g;
