import type { Junction, Node, Qualifier, QualifierValue } from './ast.ts';
import { type Key, qualifierDefinition } from './keys.ts';

/**
 * Normalizes a query: flattens nested ANDs and ORs, removes double NOTs, and merges adjacent single-valued qualifiers
 * into alternatives: `repo:a repo:b` becomes `repo:[a,b]`.
 */
export function normalizeQuery(node: Node): Node {
  switch (node.kind) {
    case 'text':
    case 'qualifier':
      return node;
    case 'not':
      return node.of.kind === 'not' ? normalizeQuery(node.of.of) : { ...node, of: normalizeQuery(node.of) };
    case 'or':
      return { ...node, of: flat(node) };
    case 'and': {
      const of = alternatives(flat(node));
      const [only] = of;
      return of.length === 1 && only ? only : { ...node, of };
    }
  }
}

const flat = ({ kind, of }: Junction): Node[] =>
  of.map(normalizeQuery).flatMap((part) => (part.kind === kind ? part.of : [part]));

/** Merges the values of repeated keys into the first one. */
function alternatives(parts: readonly Node[]): Node[] {
  const gathered = new Map<Key, QualifierValue[]>();
  const merged: Node[] = [];
  for (const part of parts) {
    if (!isChoice(part)) {
      merged.push(part);
      continue;
    }
    const known = gathered.get(part.key);
    if (known) known.push(...part.test.values);
    else {
      const values = [...part.test.values];
      gathered.set(part.key, values);
      merged.push({ ...part, test: { kind: 'any', values } });
    }
  }
  return merged;
}

type AnyQualifier = Qualifier & { test: { kind: 'any' } };
const isChoice = (node: Node): node is AnyQualifier =>
  node.kind === 'qualifier' && node.test.kind === 'any' && qualifierDefinition(node.key).single;
