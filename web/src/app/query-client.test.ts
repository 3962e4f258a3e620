import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

test('answers are fresh for ten seconds, and asked for again neither after a failure nor on focus (spec 9)', () => {
  expect(createQueryClient().getDefaultOptions().queries).toEqual({
    staleTime: 10_000,
    retry: false,
    refetchOnWindowFocus: false,
  });
});
