import type { Node, Span } from './ast.ts';
import { type Key, qualifierDefinition } from './keys.ts';
import { normalizeQuery } from './normalize-query.ts';
import { parseQuery } from './parse.ts';
import { printQuery, quoteQueryValue } from './print.ts';

/** One of the top-level conditions of a query, with its position. */
export interface QueryPart extends Span {
  node: Node;
  text: string;
}

/** Returns the top-level conditions of a query; empty for an invalid query. */
export function partsOf(text: string): QueryPart[] {
  const node = readable(text);
  if (!node) return [];
  const nodes = node.kind === 'and' && !isGrouped(text, node) ? node.of : [node];
  return nodes.map((part) => {
    const { start, end } = spanOf(part, text);
    return { node: part, start, end, text: text.slice(start, end) };
  });
}

/** Removes a condition and the AND that joined it. */
export const withoutPart = (text: string, { start, end }: Span): string =>
  joined(text.slice(0, start).replace(/(?<=[\s)"])AND\s*$/, ''), text.slice(end).replace(/^\s*AND(?=[\s(])/, ''));

/**
 * Adds a condition that requires or excludes a value. Removes the opposite condition of the same qualifier and avoids
 * duplicates. Returns an invalid query unchanged.
 */
export function withValue(text: string, key: Key, value: string, { exclude = false } = {}): string {
  if (text.trim() !== '' && !readable(text)) return text;
  const condition = printQuery({
    kind: 'qualifier',
    key,
    test: { kind: 'any', values: [{ text: value }] },
    start: 0,
    end: 0,
  });
  const opposite = partsOf(text).find((part) => isExactly(part, exclude ? condition : `-${condition}`));
  const withoutOpposite = opposite ? withoutPart(text, opposite) : text;
  const added = exclude ? `-${condition}` : condition;
  if (partsOf(withoutOpposite).some((part) => isExactly(part, added))) return withoutOpposite;
  return joined(bracketed(withoutOpposite), added);
}

/**
 * Restricts a query whose events have this value to them. Replaces conditions of a qualifier that has one value per event,
 * which would be alternatives.
 */
export function narrowedTo(text: string, key: Key, value: string): string {
  const replaced = qualifierDefinition(key).single
    ? partsOf(text).filter(({ node }) => node.kind === 'qualifier' && node.key === key)
    : [];
  return withValue(
    replaced.reduceRight((query, part) => withoutPart(query, part), text),
    key,
    value,
  );
}

/** Adds a condition for a phrase or a word. */
export function withWords(text: string, words: string, { exclude = false } = {}): string {
  if (text.trim() !== '' && !readable(text)) return text;
  const added = `${exclude ? '-' : ''}${isWord(words) ? words : quoteQueryValue(words)}`;
  return partsOf(text).some((part) => isExactly(part, added)) ? text : joined(bracketed(text), added);
}

const timeKeys: readonly Key[] = ['after', 'before', 'on', 'date'];

/** Replaces the time range of the query. Both ends are RFC 3339, the second exclusive. */
export function withRange(text: string, from: string, to: string): string {
  if (text.trim() !== '' && !readable(text)) return text;
  return joined(bracketed(withoutRange(text)), `after:${from} before:${to}`);
}

/** Removes the time range of the query. */
export function withoutRange(text: string): string {
  const named = partsOf(text).filter(({ node }) => node.kind === 'qualifier' && timeKeys.includes(node.key));
  return named.reduceRight((query, part) => withoutPart(query, part), text);
}

const readable = (text: string): Node | null => {
  const parsed = parseQuery(text, { infixWildcards: true });
  return 'node' in parsed ? parsed.node : null;
};

/** Adds parentheses to `a OR b`, so that it can be combined with other conditions. */
const bracketed = (text: string): string => {
  const node = readable(text);
  return node?.kind === 'or' && !isGrouped(text, node) ? `(${text.trim()})` : text;
};

// The span of a group in parentheses includes them.
const isGrouped = (text: string, { kind, start, end }: Node) =>
  (kind === 'and' || kind === 'or') && text[start] === '(' && closingOf(text, start) === end - 1;

/** Returns the position of the matching closing parenthesis. */
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

// The spans of words and qualifiers exclude trailing spaces.
const spanOf = ({ start, end }: Span, text: string): Span => ({
  start,
  end: start + text.slice(start, end).trimEnd().length,
});

const isExactly = ({ node }: QueryPart, text: string) => {
  const other = readable(text);
  return other !== null && printQuery(normalizeQuery(node)) === printQuery(normalizeQuery(other));
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
