import type { Junction, Node, Qualifier, QualifierValue } from './ast.ts';
import { factsOf, type Key } from './keys.ts';

/**
 * What a query means, spelled out: nested ANDs and ORs lie flat, double NOTs are gone, and qualifiers side by side that an
 * event can answer in one way only are the alternatives they are meant as: `repo:a repo:b` is `repo:[a,b]`.
 */
export function meaningOf(node: Node): Node {
  switch (node.kind) {
    case 'text':
    case 'qualifier':
      return node;
    case 'not':
      return node.of.kind === 'not' ? meaningOf(node.of.of) : { ...node, of: meaningOf(node.of) };
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
  of.map(meaningOf).flatMap((part) => (part.kind === kind ? part.of : [part]));

/** The first of several with one key takes in the values of the others. */
function alternatives(parts: readonly Node[]): Node[] {
  const gathered = new Map<Key, QualifierValue[]>();
  const kept: Node[] = [];
  for (const part of parts) {
    if (!isChoice(part)) {
      kept.push(part);
      continue;
    }
    const known = gathered.get(part.key);
    if (known) known.push(...part.test.values);
    else {
      const values = [...part.test.values];
      gathered.set(part.key, values);
      kept.push({ ...part, test: { kind: 'any', values } });
    }
  }
  return kept;
}

type AnyQualifier = Qualifier & { test: { kind: 'any' } };
const isChoice = (node: Node): node is AnyQualifier =>
  node.kind === 'qualifier' && node.test.kind === 'any' && factsOf(node.key).single;
