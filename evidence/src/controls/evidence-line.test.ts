import { sha256 } from '@noble/hashes/sha2.js';
import { expect, test } from 'vitest';
import { toHex, utf8 } from '../ledger/bytes.ts';
import { evidenceLine, rowsHash } from './evidence-line.ts';

const row = { subject: 's', repository: null, leaf: 4, leaves: [4, 2], waivers: [] };

test('writes a line in one form regardless of the order of its parts', () => {
  const line = evidenceLine({ verdict: 'pass', reasons: ['independent_approval'], setting: 0, row });
  expect(line).toBe(
    '{"reasons":["independent_approval"],"row":{"leaf":4,"leaves":[4,2],"repository":null,"subject":"s","waivers":[]},"setting":0,"verdict":"pass"}',
  );
});

test('hashes a run like its file', () => {
  const hash = rowsHash();
  hash.add('one');
  hash.add('two');
  expect(toHex(hash.digest())).toBe(toHex(sha256(utf8('one\ntwo\n'))));
});
