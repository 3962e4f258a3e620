import { sha256 as pure } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../scripts/properties.ts';
import { toHex, utf8 } from './bytes.ts';
import { createHash, sha256 } from './sha256.ts';

test('hashes the example of FIPS 180-4', () => {
  expect(toHex(sha256(utf8('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('hashes like the platform, at once and in pieces', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 300 }), (bytes, at) => {
      expect(sha256(bytes)).toStrictEqual(pure(bytes));
      const pieces = createHash();
      pieces.add(bytes.subarray(0, at));
      pieces.add(bytes.subarray(at));
      expect(pieces.digest()).toStrictEqual(pure(bytes));
    }),
  );
});

test('hashes text as UTF-8, also ill-formed text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(sha256(text)).toStrictEqual(pure(utf8(text)));
    }),
  );
  expect(sha256('a\ud800b')).toStrictEqual(pure(utf8('a\ud800b')));
});

test('returns independent hashes', () => {
  const first = sha256(utf8('one'));
  const before = toHex(first);
  sha256(utf8('other'));
  expect(toHex(first)).toBe(before);
});
