import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyOf, keep } from './body.ts';

test('a body of any length is given back as it came', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(150), (part, times) => {
      const body = part.toWellFormed().repeat(times);
      expect(bodyOf(keep(body))).toBe(body);
    }),
    { numRuns: 40 },
  );
});

test('only a long one is packed', () => {
  expect(keep('{}')).toEqual({ body: '{}', packed: null });
  const { body, packed } = keep('x'.repeat(20_000));
  expect(body).toBe('');
  expect(packed?.length).toBeLessThan(1_000);
});
