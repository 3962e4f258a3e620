import { randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/properties.ts';
import { type CanonicalValue, canonicalJson } from './canonical.ts';
import { commitmentOf, disclosureOf, entryText, openDisclosure, parseEntry } from './entry.ts';
import { plain } from './testing/plain.ts';

test('writes the canonical form of another implementation of RFC 8785', () => {
  fc.assert(
    fc.property(plain, (value) => canonicalJson(value) === canonicalize(value)),
    { numRuns: propertyRuns(200) },
  );
});

test('sorts keys and escapes as JSON does in the canonical form', () => {
  expect(canonicalJson({ b: 1, a: [true, null, 'é'], B: { z: '\u0000', y: -0 } })).toBe(
    '{"B":{"y":0,"z":"\\u0000"},"a":[true,null,"é"],"b":1}',
  );
});

test('refuses values in the canonical form that programs could write differently', () => {
  for (const value of [0.5, 2 ** 53, Number.NaN, '\ud800', { '\udc00': 1 }]) {
    expect(() => canonicalJson(value as CanonicalValue)).toThrow();
  }
});

const key = new Uint8Array(randomBytes(32));
const disclosures = [disclosureOf('e1', 'name', 'Ada', key), disclosureOf('e1', 'address', null, key)];
const entry = {
  commitments: disclosures.map(commitmentOf).sort(),
  asOf: '2026-01-01T00:00:00.000Z',
  receivedAt: '2026-01-01T00:00:00.000Z',
  id: 'e1',
  kind: 'audit.member.joined',
  org: 'o',
  person: 'p',
  source: 'sightline',
  subject: { kind: 'member', id: 'm', data: {} },
};

test('reads an entry as it was written', () => {
  expect(parseEntry(entryText(entry))).toEqual(entry);
  expect(parseEntry(entryText({ ...entry, commitments: [], person: null }))).toEqual({
    ...entry,
    commitments: [],
    person: null,
  });
});

test('rejects an entry in another form', () => {
  const text = entryText(entry);
  const value = JSON.parse(text) as Record<string, CanonicalValue>;
  const [one = '', other = ''] = entry.commitments;
  const bad = [
    ` ${text}`,
    text.replace('"v":1', '"v":1,"v":1'),
    text.replace('"id":"e1"', '"id":"\\u0065\\u0031"'),
    canonicalJson({ ...value, extra: 1 }),
    canonicalJson({ ...value, v: 2 }),
    canonicalJson({ ...value, id: 7 }),
    canonicalJson({ ...value, person: 7 }),
    canonicalJson({ ...value, subject: [] }),
    canonicalJson({ ...value, _sd_alg: 'sha-512' }),
    canonicalJson({ ...value, _sd: [] }),
    canonicalJson({ ...value, _sd: [other, one] }),
    canonicalJson({ ...value, _sd: [one, one] }),
    canonicalJson(Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'asOf'))),
    canonicalJson([value]),
    'null',
  ];
  for (const wrong of bad) expect(() => parseEntry(wrong), wrong).toThrow();
});

test('opens only its own commitment with a disclosure', () => {
  const [name = '', address = ''] = disclosures;
  expect(openDisclosure(entry, name)).toEqual({ field: 'name', value: 'Ada' });
  expect(openDisclosure(entry, address)).toEqual({ field: 'address', value: null });
  expect(() => openDisclosure(entry, disclosureOf('e1', 'name', 'Eve', key))).toThrow('matches no commitment');
  expect(() => openDisclosure(entry, disclosureOf('e2', 'name', 'Ada', key))).toThrow('matches no commitment');
  const another = new Uint8Array(randomBytes(32));
  expect(() => openDisclosure(entry, disclosureOf('e1', 'name', 'Ada', another))).toThrow('matches no commitment');
});
