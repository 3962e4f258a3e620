import type { Node, Span } from './ast.ts';
import type { Key } from './keys.ts';
import { meaningOf } from './meaning.ts';
import { parseQuery } from './parse.ts';
import { printQuery, quote } from './print.ts';

/** One of the things a query asks for side by side, as it stands in its text. */
export interface QueryPart extends Span {
  node: Node;
  text: string;
}

/** What a query asks for side by side; empty for one that cannot be read. */
export function partsOf(text: string): QueryPart[] {
  const node = readable(text);
  if (!node) return [];
  const nodes = node.kind === 'and' && !isGrouped(text, node) ? node.of : [node];
  return nodes.map((part) => {
    const { start, end } = spanOf(part, text);
    return { node: part, start, end, text: text.slice(start, end) };
  });
}

/** The query without one of its parts, and without the AND that tied it to another. */
export const withoutPart = (text: string, { start, end }: Span): string =>
  joined(text.slice(0, start).replace(/(?<=[\s)"])AND\s*$/, ''), text.slice(end).replace(/^\s*AND(?=[\s(])/, ''));

/**
 * The query that also asks for, or excludes, a value. What it asked of the same qualifier in the other way goes, and a
 * value that stands there already is not said twice. One that cannot be read is left as it is.
 */
export function withValue(text: string, key: Key, value: string, { exclude = false } = {}): string {
  if (text.trim() !== '' && !readable(text)) return text;
  const wanted = printQuery({
    kind: 'qualifier',
    key,
    test: { kind: 'any', values: [{ text: value }] },
    start: 0,
    end: 0,
  });
  const opposite = partsOf(text).find((part) => saysOnly(part, exclude ? wanted : `-${wanted}`));
  const rest = opposite ? withoutPart(text, opposite) : text;
  const added = exclude ? `-${wanted}` : wanted;
  if (partsOf(rest).some((part) => saysOnly(part, added))) return rest;
  return joined(bracketed(rest), added);
}

/** The query that also asks for words in a row, or for one word. */
export function withWords(text: string, words: string, { exclude = false } = {}): string {
  if (text.trim() !== '' && !readable(text)) return text;
  const added = `${exclude ? '-' : ''}${isWord(words) ? words : quote(words)}`;
  return partsOf(text).some((part) => saysOnly(part, added)) ? text : joined(bracketed(text), added);
}

const timeKeys: readonly Key[] = ['after', 'before', 'on', 'date'];

/** The query narrowed to a stretch of time in place of any it named itself; both ends RFC 3339, the second excluded. */
export function withRange(text: string, from: string, to: string): string {
  if (text.trim() !== '' && !readable(text)) return text;
  return joined(bracketed(withoutRange(text)), `after:${from} before:${to}`);
}

/** The query without the stretch of time that its parts name. */
export function withoutRange(text: string): string {
  const named = partsOf(text).filter(({ node }) => node.kind === 'qualifier' && timeKeys.includes(node.key));
  return named.reduceRight((rest, part) => withoutPart(rest, part), text);
}

const readable = (text: string): Node | null => {
  const parsed = parseQuery(text, { parts: true });
  return 'node' in parsed ? parsed.node : null;
};

/** `a OR b` beside something else needs parentheses to stay together. */
const bracketed = (text: string): string => {
  const node = readable(text);
  return node?.kind === 'or' && !isGrouped(text, node) ? `(${text.trim()})` : text;
};

// The span of a junction in parentheses holds them.
const isGrouped = (text: string, { kind, start, end }: Node) =>
  (kind === 'and' || kind === 'or') && text[start] === '(' && closingOf(text, start) === end - 1;

/** Where the parenthesis that opens at `start` is closed. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted && sign === '\\') at += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === '(') depth += 1;
    else if (!isQuoted && sign === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

// The spans of words and qualifiers end before the space behind them.
const spanOf = ({ start, end }: Span, text: string): Span => ({
  start,
  end: start + text.slice(start, end).trimEnd().length,
});

const saysOnly = ({ node }: QueryPart, text: string) => {
  const other = readable(text);
  return other !== null && printQuery(meaningOf(node)) === printQuery(meaningOf(other));
};

const isWord = (words: string) => {
  const node = readable(words);
  return node?.kind === 'text' && node.mode === 'word';
};

const joined = (...parts: string[]) =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
