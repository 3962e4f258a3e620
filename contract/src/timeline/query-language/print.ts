import type { FreeText, Node, Predicate, QualifierValue } from './ast.ts';
import { comparableTypes, type Key, qualifierDefinition } from './keys.ts';

/** Prints a query so that parsing the text yields the same query. */
export const printQuery = (node: Node | null): string => (node ? print(node) : '');

function print(node: Node): string {
  switch (node.kind) {
    case 'text':
      return printText(node);
    case 'qualifier':
      return `${node.key}:${printTest(node.key, node.test)}`;
    case 'not':
      return `-${node.of.kind === 'text' || node.of.kind === 'qualifier' ? print(node.of) : grouped(node.of)}`;
    case 'and':
      return node.of.map((part) => (part.kind === 'and' || part.kind === 'or' ? grouped(part) : print(part))).join(' ');
    case 'or':
      return node.of.map((part) => (part.kind === 'or' ? grouped(part) : print(part))).join(' OR ');
  }
}

const grouped = (node: Node): string => `(${print(node)})`;

function printText({ mode, text }: FreeText): string {
  if (mode === 'phrase') return quoteQueryValue(text);
  return mode === 'prefix' ? `${text}*` : text;
}

function printTest(key: Key, test: Predicate): string {
  switch (test.kind) {
    case 'exists':
      return '*';
    case 'compare':
      return `${test.operator}${printValue(key, test.value)}`;
    case 'range':
      return `${test.from ? printValue(key, test.from) : '*'}..${test.to ? printValue(key, test.to) : '*'}`;
    case 'any':
      return test.values.length === 1
        ? test.values.map((value) => printValue(key, value)).join('')
        : `[${test.values.map((value) => printValue(key, value)).join(',')}]`;
  }
}

function printValue(key: Key, { text, wild }: QualifierValue): string {
  if (wild) return text;
  const ends = comparableTypes.has(qualifierDefinition(key).type) ? /\.\./ : /(?!)/;
  return plain.test(text) && !ends.test(text) ? text : quoteQueryValue(text);
}

// Other text must be quoted to be parsed as a value.
const plain = /^(?![=<>*]|\/\/)[^\s()[\],"*]+$/;

/** Quotes a value for the query language. */
export const quoteQueryValue = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
