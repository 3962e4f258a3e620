// @vitest-environment happy-dom
import { ApiError } from '@sightline/contract/client.ts';
import { renderHook } from '@testing-library/react';
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { closeError, useShownError } from './errors.ts';
import { createQueryClient } from './query-client.ts';

const gone = new ApiError('/v2/repositories', 0, 'The server cannot be reached.');
const refused = new ApiError('/v2/repositories', 500, 'The database is away.');
const shown = () => {
  const { result, unmount } = renderHook(useShownError);
  unmount();
  return result.current?.message;
};
const failing = (error: Error) => () => Promise.reject(error);

afterEach(() => act(closeError));

test('answers are fresh for ten seconds, and asked for again neither after a failure nor on focus (spec 9)', () => {
  expect(createQueryClient().getDefaultOptions().queries).toEqual({
    staleTime: 10_000,
    retry: false,
    refetchOnWindowFocus: false,
  });
});

test('a question that failed opens the error dialog, unless its page shows that itself', async () => {
  const client = createQueryClient();
  await client.fetchQuery({ queryKey: ['a'], queryFn: failing(refused), meta: { quiet: true } }).catch(() => undefined);
  expect(shown()).toBeUndefined();
  await client.fetchQuery({ queryKey: ['b'], queryFn: failing(refused) }).catch(() => undefined);
  expect(shown()).toBe('The database is away.');
});

test('out of reach, a page that still shows its last answer opens no dialog; one without any does', async () => {
  const client = createQueryClient();
  client.setQueryData(['a'], 'an older answer');
  await client.fetchQuery({ queryKey: ['a'], queryFn: failing(gone), staleTime: 0 }).catch(() => undefined);
  expect(shown()).toBeUndefined();
  await client.fetchQuery({ queryKey: ['b'], queryFn: failing(gone) }).catch(() => undefined);
  expect(shown()).toBe('The server cannot be reached.');
});

test('a change that failed opens the error dialog, unless its page shows that itself', async () => {
  const client = createQueryClient();
  const change = (quiet: boolean) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: failing(refused), meta: { quiet } })
      .execute(undefined)
      .catch(() => undefined);
  await change(true);
  expect(shown()).toBeUndefined();
  await change(false);
  expect(shown()).toBe('The database is away.');
});
