import fc from 'fast-check';
import type { Node, Predicate, QualifierValue } from './ast.ts';
import { operators } from './ast.ts';
import { comparableTypes, type Key, keyNames, type QualifierDefinition, qualifierDefinition } from './keys.ts';

const nowhere = { start: 0, end: 0 };

const anyText = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('AND', '-x', 'a"b', 'a\\', '*', '>=1', 'a..b', 'kind:commit'),
  )
  .filter((text) => text.trim() !== '');
const plainWord = fc.stringMatching(/^[a-z0-9][a-z0-9_./#@+-]{0,11}$/);

function literal({ type, values }: QualifierDefinition): fc.Arbitrary<string> {
  if (values) return fc.constantFrom(...values);
  if (type === 'number') return fc.nat(999_999).map(String);
  if (type === 'id') return fc.uuid();
  if (type === 'sha') return fc.stringMatching(/^[0-9a-f]{4,40}$/);
  if (type === 'date')
    return fc.oneof(
      fc.constantFrom('today', 'yesterday', 'now', '-7d', '-24h', '-30m', '-2w', '2026-02'),
      fc
        .date({ min: new Date('1971-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      fc
        .date({ min: new Date('1971-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
    );
  return anyText;
}

const anyShare = fc.oneof(
  fc.constantFrom('0', '1', '0.5', '.25'),
  fc.nat(999).map((part) => `0.${part}`),
);

const wild = fc
  .tuple(fc.constantFrom('', '*'), plainWord, fc.constantFrom('*', '*x'))
  .map(([before, word, after]): QualifierValue => ({ text: `${before}${word}${after}`, wild: true }));

function testOf(facts: QualifierDefinition, few: boolean): fc.Arbitrary<Predicate> {
  const value = literal(facts).map((text): QualifierValue => ({ text }));
  const bound = facts.type === 'share' ? anyShare.map((text): QualifierValue => ({ text })) : value;
  const isOrdered = comparableTypes.has(facts.type);
  return fc.oneof(
    fc.array(value, { minLength: 1, maxLength: 3 }).map((values): Predicate => ({ kind: 'any', values })),
    fc.constant<Predicate>({ kind: 'exists' }),
    ...(facts.type === 'text' && !few ? [wild.map((one): Predicate => ({ kind: 'any', values: [one] }))] : []),
    ...(isOrdered
      ? [
          fc
            .tuple(fc.constantFrom(...operators), bound)
            .map(([operator, one]): Predicate => ({ kind: 'compare', operator, value: one })),
          fc.tuple(bound, bound).map(([from, to]): Predicate => ({ kind: 'range', from, to })),
          bound.map((from): Predicate => ({ kind: 'range', from, to: null })),
          bound.map((to): Predicate => ({ kind: 'range', from: null, to })),
        ]
      : []),
  );
}

const qualifierOf = (key: Key): fc.Arbitrary<Node> =>
  testOf(qualifierDefinition(key), false).map((test) => ({ kind: 'qualifier', key, test, ...nowhere }));

const text: fc.Arbitrary<Node> = fc.oneof(
  plainWord
    .filter((word) => !/^(-|!)/.test(word))
    .map((word): Node => ({ kind: 'text', mode: 'word', text: word, ...nowhere })),
  plainWord.map((word): Node => ({ kind: 'text', mode: 'prefix', text: word, ...nowhere })),
  anyText.map((words): Node => ({ kind: 'text', mode: 'phrase', text: words, ...nowhere })),
);

/** Generates valid queries with a few terms each, within every limit. */
export const anyQuery = (keys: readonly Key[] = keyNames): fc.Arbitrary<Node> =>
  fc.letrec<{ node: Node }>((tie) => {
    const parts = fc.array(tie('node'), { minLength: 2, maxLength: 3 });
    return {
      node: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.oneof(text, ...keys.map(qualifierOf)),
        tie('node').map((of): Node => ({ kind: 'not', of, ...nowhere })),
        parts.map((of): Node => ({ kind: 'and', of, ...nowhere })),
        parts.map((of): Node => ({ kind: 'or', of, ...nowhere })),
      ),
    };
  }).node;
