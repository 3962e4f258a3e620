import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyOf, keep } from './body.ts';

test('restores a stored body of any length unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(150), (part, times) => {
      const body = part.toWellFormed().repeat(times);
      expect(bodyOf(keep(body))).toBe(body);
    }),
    { numRuns: 40 },
  );
});

test('compresses only a long body', () => {
  expect(keep('{}')).toEqual({ body: '{}', packed: null });
  const { body, packed } = keep('x'.repeat(20_000));
  expect(body).toBe('');
  expect(packed?.length).toBeLessThan(1_000);
});
