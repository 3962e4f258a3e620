import type { Key } from './keys.ts';

/** Where a part of a query stands: from the first character to behind the last, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** What stands behind a colon. `wild`: its asterisks stand for anything; otherwise an asterisk is one. */
export interface QualifierValue {
  text: string;
  wild?: true;
}

export const operators = ['>=', '<=', '>', '<'] as const;
export type Operator = (typeof operators)[number];

/** What a qualifier asks of its field. */
export type Test =
  /** One of these. */
  | { kind: 'any'; values: QualifierValue[] }
  | { kind: 'compare'; operator: Operator; value: QualifierValue }
  /** Both ends included; null: open. At least one end is there. */
  | { kind: 'range'; from: QualifierValue | null; to: QualifierValue | null }
  /** It has one at all. */
  | { kind: 'exists' };

export interface Qualifier extends Span {
  kind: 'qualifier';
  key: Key;
  test: Test;
}

/** Free text: a whole word, the beginning of one, words in a row, or a part of a word with its asterisks. */
export interface Text extends Span {
  kind: 'text';
  mode: 'word' | 'prefix' | 'phrase' | 'part';
  text: string;
}

export interface Not extends Span {
  kind: 'not';
  of: Node;
}

export interface Junction extends Span {
  kind: 'and' | 'or';
  /** Two or more. */
  of: Node[];
}

export type Node = Qualifier | Text | Not | Junction;

/** Whether two queries say the same in the same way, wherever their parts stand. */
export const isSame = (one: Node | null, other: Node | null): boolean => shapeOf(one) === shapeOf(other);

const shapeOf = (node: Node | null): string =>
  JSON.stringify(node, (name, value: unknown) => (name === 'start' || name === 'end' ? undefined : value));
