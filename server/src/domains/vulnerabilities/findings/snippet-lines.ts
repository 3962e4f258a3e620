import type { FileOffset } from '#providers/scanner.ts';

export interface Snippet {
  /** The number of the first line, counted from 1. */
  from: number;
  lines: string[];
}

interface MarkedLines {
  line: number | null;
  endLine: number | null;
  packageName: string | null;
}

const CONTEXT_LINES = 5;
// A scanner may mark an entire function; the page shows at most this number of lines.
const MAX_MARKED_LINES = 60;
const MAX_LINE_LENGTH = 1000;

/**
 * Returns the marked lines of a file with context. Without a mark, starts at the first line with the package name, or
 * at the top.
 */
export function snippetAround(file: readonly string[], { line, endLine, packageName }: MarkedLines): Snippet {
  const first = line ?? lineNaming(file, packageName) ?? 1;
  const last = Math.max(first, Math.min(endLine ?? first, first + MAX_MARKED_LINES - 1));
  const from = Math.max(1, Math.min(first, file.length) - CONTEXT_LINES);
  return { from, lines: file.slice(from - 1, last + CONTEXT_LINES).map((text) => text.slice(0, MAX_LINE_LENGTH)) };
}

function lineNaming(file: readonly string[], name: string | null): number | undefined {
  if (name === null) return undefined;
  const found = file.findIndex((text) => text.toLowerCase().includes(name));
  return found === -1 ? undefined : found + 1;
}

/** Converts a region in characters or bytes to lines; a region beyond the end is at the last line. */
export function linesOfOffset(text: string, { unit, from, length }: FileOffset): { line: number; endLine: number } {
  const before = (end: number) =>
    unit === 'bytes' ? Buffer.from(text).subarray(0, end).toString() : text.slice(0, end);
  const lineOf = (end: number) => before(end).split('\n').length;
  return { line: lineOf(from), endLine: lineOf(from + Math.max(0, (length ?? 0) - 1)) };
}

const blot = '••••••••';

/**
 * Masks secrets in a snippet: replaces the lines in which a secret was found. `isSecret`: the finding is a secret,
 * whose line may have moved, so that value-like text in other lines is masked too.
 */
export function maskSecrets(
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

// Quoted text, and words too long for a natural language.
const valueLike = /(["'`])(?:(?!\1).){4,}\1|[\w+/=.~-]{16,}/g;
