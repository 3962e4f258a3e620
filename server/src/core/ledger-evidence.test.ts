import { randomBytes } from 'node:crypto';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { commitmentOf, disclosureOf, entryText, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { leafHash, rootOf } from '@sightline/evidence/ledger/tree.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLedgerEntry, merkleRoot } from './ledger.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const value: fc.Arbitrary<CanonicalValue> = fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
const values = fc.dictionary(text, fc.oneof(value, fc.array(value, { maxLength: 3 })), { maxKeys: 4 });
const facts = fc.record({
  id: fc.uuid(),
  org: fc.uuid(),
  kind: text,
  asOf: text,
  receivedAt: text,
  person: fc.option(fc.uuid()),
  source: text,
  subject: values,
  personal: values,
});
const key = randomBytes(32);

test('the server writes the same text, commitments and leaf that auditors read', () => {
  fc.assert(
    fc.property(facts, (fact) => {
      const entry = createLedgerEntry(fact, key);
      const { personal, ...open } = fact;
      const commitments = Object.entries(personal)
        .map(([field, one]) => commitmentOf(disclosureOf(fact.id, field, one, new Uint8Array(key))))
        .sort();
      expect(entry.text).toBe(entryText({ ...open, commitments }));
      expect(parseEntry(entry.text)).toEqual({ ...JSON.parse(canonicalJson(open)), commitments });
      expect(entry.leafHash).toEqual(Buffer.from(leafHash(entry.text)));
    }),
    { numRuns: 500 },
  );
});

test('server and verifier compute the same root over a batch', () => {
  const leaves = Array.from({ length: 33 }, () => randomBytes(32));
  for (let count = 1; count <= leaves.length; count += 1) {
    const some = leaves.slice(0, count);
    expect(merkleRoot(some)).toEqual(Buffer.from(rootOf(some)));
  }
});
