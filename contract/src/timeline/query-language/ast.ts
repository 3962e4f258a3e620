import type { Key } from './keys.ts';

/** The position of a part of a query in UTF-16 units, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A value after a colon. `wild`: asterisks are wildcards; otherwise they are literal. */
export interface QualifierValue {
  text: string;
  wild?: true;
}

export const operators = ['>=', '<=', '>', '<'] as const;
export type Operator = (typeof operators)[number];

/** The predicate of a qualifier. */
export type Predicate =
  /** One of these values. */
  | { kind: 'any'; values: QualifierValue[] }
  | { kind: 'compare'; operator: Operator; value: QualifierValue }
  /** Both ends inclusive; null: open. At least one end is set. */
  | { kind: 'range'; from: QualifierValue | null; to: QualifierValue | null }
  /** The field has a value. */
  | { kind: 'exists' };

export interface Qualifier extends Span {
  kind: 'qualifier';
  key: Key;
  test: Predicate;
}

/** Free text: a word, a prefix, a phrase, or a part of a word with wildcards. */
export interface FreeText extends Span {
  kind: 'text';
  mode: 'word' | 'prefix' | 'phrase' | 'part';
  text: string;
}

export interface Negation extends Span {
  kind: 'not';
  of: Node;
}

export interface Junction extends Span {
  kind: 'and' | 'or';
  /** Two or more. */
  of: Node[];
}

export type Node = Qualifier | FreeText | Negation | Junction;

/** Whether two queries are equal, regardless of positions. */
export const isSameQuery = (one: Node | null, other: Node | null): boolean => shapeOf(one) === shapeOf(other);

const shapeOf = (node: Node | null): string =>
  JSON.stringify(node, (name, value: unknown) => (name === 'start' || name === 'end' ? undefined : value));
