import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacSha256 } from './hmac.ts';

test('equals the Node.js HMAC for any key up to the block size and any text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ unit: 'binary' }), (bytes, text) => {
      const key = Buffer.from(bytes);
      const digest = createHmac('sha256', key).update(text).digest('hex');
      expect([hmacSha256(key, text).toString('hex'), hmacSha256(key, text).toString('hex')]).toEqual([digest, digest]);
    }),
  );
  expect(() => hmacSha256(Buffer.alloc(65), 'x')).toThrow();
});
