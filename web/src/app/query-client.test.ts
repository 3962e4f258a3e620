// @vitest-environment happy-dom
import { ApiError } from '@sightline/contract/core/client.ts';
import { focusManager, QueryObserver } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { closeError, useShownError } from './errors.ts';
import { createQueryClient } from './query-client.ts';

const unreachable = new ApiError('/v2/repositories', 0, 'The server cannot be reached.');
const refused = new ApiError('/v2/repositories', 500, 'The database is away.');
const shown = () => {
  const { result, unmount } = renderHook(useShownError);
  unmount();
  return result.current?.message;
};
const failing = (error: Error) => () => Promise.reject(error);

afterEach(() => act(closeError));

test('keeps responses fresh for ten seconds and refetches neither after a failure nor on focus (spec 9)', async () => {
  vi.useFakeTimers();
  try {
    const client = createQueryClient();
    client.mount();
    let requests = 0;
    const look = async (queryFn: () => Promise<unknown>, key = 'answer') => {
      const observer = new QueryObserver(client, { queryKey: [key], queryFn, meta: { quiet: true } });
      const stop = observer.subscribe(() => undefined);
      await vi.advanceTimersByTimeAsync(0);
      return stop;
    };
    const answer = async () => {
      requests += 1;
      return requests;
    };
    const stop = await look(answer);
    await vi.advanceTimersByTimeAsync(9_999);
    (await look(answer))();
    expect(requests).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toBe(1);
    (await look(answer))();
    expect(requests).toBe(2);
    stop();
    let failed = 0;
    const fail = () => {
      failed += 1;
      return Promise.reject(refused);
    };
    (await look(fail, 'failure'))();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failed).toBe(1);
    client.unmount();
  } finally {
    focusManager.setFocused(undefined);
    vi.useRealTimers();
  }
});

test('opens the error dialog for a failed query unless its page shows the error', async () => {
  const client = createQueryClient();
  await client.fetchQuery({ queryKey: ['a'], queryFn: failing(refused), meta: { quiet: true } }).catch(() => undefined);
  expect(shown()).toBeUndefined();
  await client.fetchQuery({ queryKey: ['b'], queryFn: failing(refused) }).catch(() => undefined);
  expect(shown()).toBe('The database is away.');
});

test('opens no dialog for an unreachable server while a page shows its last response', async () => {
  const client = createQueryClient();
  client.setQueryData(['a'], 'an older answer');
  await client.fetchQuery({ queryKey: ['a'], queryFn: failing(unreachable), staleTime: 0 }).catch(() => undefined);
  expect(shown()).toBeUndefined();
  await client.fetchQuery({ queryKey: ['b'], queryFn: failing(unreachable) }).catch(() => undefined);
  expect(shown()).toBe('The server cannot be reached.');
});

test('opens the error dialog for a failed mutation unless its page shows the error', async () => {
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

test('honors Retry-After within bounds', async () => {
  vi.useFakeTimers();
  try {
    const client = createQueryClient();
    let requests = 0;
    const limited = (retryAfter: number | undefined, until = Number.POSITIVE_INFINITY) => {
      requests = 0;
      return () => {
        requests += 1;
        return requests > until
          ? Promise.resolve('an answer')
          : Promise.reject(new ApiError('/a', 429, {}, retryAfter));
      };
    };
    const look = (key: string, queryFn: () => Promise<string>) => {
      const answer = client.fetchQuery({ queryKey: [key], queryFn, meta: { quiet: true }, retry: retryOf(client) });
      return answer.catch((error: ApiError) => error.status);
    };
    const recovered = look('recovers', limited(7, 1));
    await vi.advanceTimersByTimeAsync(6_900);
    expect(requests).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect([requests, await recovered]).toEqual([2, 'an answer']);
    const refusedForGood = look('without end', limited(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([requests, await refusedForGood]).toEqual([4, 429]);
    expect([await look('minutes', limited(600)), requests]).toEqual([429, 1]);
    expect([await look('says nothing', limited(undefined)), requests]).toEqual([429, 1]);
    const advice = { code: 'rate_limited', message: 'Query time used up.', cause: 'Ask for less.', requestId: 'r' };
    const advised = () => Promise.reject(new ApiError('/a', 429, advice, 7));
    expect(await look('advises a change', advised)).toBe(429);
  } finally {
    vi.useRealTimers();
  }
});

/** The retry options of queries, since `fetchQuery` never retries. */
const retryOf = (client: ReturnType<typeof createQueryClient>) => client.getDefaultOptions().queries?.retry ?? false;
