import { createHash, randomBytes } from 'node:crypto';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { expect, test } from 'vitest';
import { createLedgerEntry, leafHash, merkleRoot } from './ledger.ts';

const hashOf = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** A literal implementation of RFC 6962 section 2.1. */
function headOf(leaves: Buffer[]): Buffer {
  const [only] = leaves;
  if (leaves.length === 1 && only) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return hashOf(Buffer.of(1), headOf(leaves.slice(0, split)), headOf(leaves.slice(split)));
}

test('computes the RFC 6962 tree head for every size', () => {
  const leaves = Array.from({ length: 70 }, (_, index) => leafHash(`leaf ${index}`));
  for (let size = 1; size <= leaves.length; size += 1) {
    expect(merkleRoot(leaves.slice(0, size))).toEqual(headOf(leaves.slice(0, size)));
  }
  expect(leafHash('x')).toEqual(hashOf(Buffer.of(0), Buffer.from('x')));
  expect(() => merkleRoot([])).toThrow();
});

test('stores personal data in an entry only as commitments that require the key', () => {
  const fact = {
    id: 'b1f7',
    org: 'o',
    kind: 'member.joined',
    asOf: '2026-01-01T00:00:00Z',
    receivedAt: '2026-01-01T00:00:00Z',
    person: 'p',
    source: 'sightline',
    subject: { role: 'rol_owner' },
    personal: { name: 'Ada Lovelace', email: 'ada@example.org' },
  };
  const key = randomBytes(32);
  const entry = createLedgerEntry(fact, key);
  expect(entry.text).not.toMatch(/Ada|example/);
  expect(JSON.parse(entry.text)._sd).toHaveLength(2);
  expect(createLedgerEntry(fact, key).text).toBe(entry.text);
  expect(createLedgerEntry(fact, randomBytes(32)).text).not.toBe(entry.text);
  expect(entry.text).toBe(canonicalJson(JSON.parse(entry.text) as CanonicalValue));
  expect(entry.leafHash).toEqual(leafHash(entry.text));
  expect(() => createLedgerEntry(fact, undefined)).toThrow();
});
