import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packBody, unpackBody } from './body.ts';

test('restores a stored body of any length unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(150), (part, times) => {
      const body = part.toWellFormed().repeat(times);
      expect(unpackBody(packBody(body))).toBe(body);
    }),
    { numRuns: 40 },
  );
});

test('compresses only a long body', () => {
  expect(packBody('{}')).toEqual({ body: '{}', packed: null });
  const { body, packed } = packBody('x'.repeat(20_000));
  expect(body).toBe('');
  expect(packed?.length).toBeLessThan(1_000);
});
