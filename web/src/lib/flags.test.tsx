// @vitest-environment happy-dom

import type { Flag } from '@sightline/contract/core/flags.ts';
import { listFeatureFlags, reportFlagUsage } from '@sightline/contract/identity/feature-flags.ts';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { readOverrides, writeOverrides } from './flag-overrides.ts';
import { refreshFlags, useFlag, useFlagsKnown, waitForFlags } from './flags.ts';
import { clearSession, startSession } from './session.ts';

const tokenOf = (account: string, organization: string) => {
  const claims = { sub: account, email: 'a@acme.example', orgID: organization, exp: 4_102_444_800 };
  return `e30.${btoa(JSON.stringify(claims))}.signature`;
};
const answer = (...names: Flag[]) => ({
  toggles: names.map((name) => ({
    name,
    enabled: true as const,
    variant: { name: 'disabled', enabled: false, feature_enabled: true },
    impressionData: false,
  })),
});

const Probe = () => <p>{`${useFlag('release2') ? 'on' : 'off'}, ${useFlagsKnown() ? 'known' : 'not known'}`}</p>;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  act(() => clearSession());
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('keeps every flag off without a session and sends no request', async () => {
  let requests = 0;
  fakeApi.answer(listFeatureFlags, () => {
    requests += 1;
    return answer('release2');
  });
  render(<Probe />);
  await waitForFlags();
  expect(screen.getByText('off, not known')).toBeDefined();
  expect(requests).toBe(0);
});

test('keeps a flag off until the server responds', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  fakeApi.answer(listFeatureFlags, async () => {
    await promise;
    return answer('release2');
  });
  startSession(tokenOf('ada', 'acme'));
  render(<Probe />);
  expect(screen.getByText('off, not known')).toBeDefined();
  resolve();
  expect(await screen.findByText('on, known')).toBeDefined();
});

test('waits at most 1500 ms', async () => {
  vi.useFakeTimers();
  fakeApi.answer(listFeatureFlags, () => new Promise<never>(() => undefined));
  startSession(tokenOf('ada', 'slow'));
  let waited = false;
  const known = waitForFlags().then(() => {
    waited = true;
  });
  await vi.advanceTimersByTimeAsync(1_499);
  expect(waited).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await known;
});

describe('after a change of account or organization', () => {
  test.each([
    ['ada', 'other'],
    ['bob', 'acme'],
  ])('hides former flags until the response for %s in %s', async (account, organization) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let slow = false;
    fakeApi.answer(listFeatureFlags, async () => {
      if (slow) await promise;
      return answer('release2');
    });
    startSession(tokenOf('ada', 'acme'));
    render(<Probe />);
    expect(await screen.findByText('on, known')).toBeDefined();
    slow = true;
    act(() => startSession(tokenOf(account, organization)));
    expect(screen.getByText('off, not known')).toBeDefined();
    resolve();
    expect(await screen.findByText('on, known')).toBeDefined();
  });

  test('keeps flags when the token of a session is renewed', async () => {
    let requests = 0;
    fakeApi.answer(listFeatureFlags, () => {
      requests += 1;
      return answer('release2');
    });
    startSession(tokenOf('ada', 'acme'));
    render(<Probe />);
    expect(await screen.findByText('on, known')).toBeDefined();
    act(() => startSession(`${tokenOf('ada', 'acme')}2`));
    expect(screen.getByText('on, known')).toBeDefined();
    expect(requests).toBe(1);
  });
});

test('retries a failed request and replaces older responses', async () => {
  vi.useFakeTimers();
  fakeApi.refuse(listFeatureFlags, 503, 'unavailable', 'later');
  startSession(tokenOf('ada', 'acme'));
  render(<Probe />);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByText('off, not known')).toBeDefined();
  fakeApi.answer(listFeatureFlags, () => answer('release2'));
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.getByText('on, known')).toBeDefined();
  fakeApi.answer(listFeatureFlags, () => answer());
  await act(async () => {
    refreshFlags();
    await vi.advanceTimersByTimeAsync(100);
  });
  expect(screen.getByText('off, known')).toBeDefined();
});

describe('overrides', () => {
  test('apply to the account that made them regardless of the server', async () => {
    fakeApi.answer(listFeatureFlags, () => answer('release2'));
    writeOverrides('ada', { release2: false });
    startSession(tokenOf('ada', 'acme'));
    render(<Probe />);
    expect(await screen.findByText('off, known')).toBeDefined();
    act(() => startSession(tokenOf('bob', 'acme')));
    expect(await screen.findByText('on, known')).toBeDefined();
  });

  test('end with the session', () => {
    writeOverrides('ada', { release2: false });
    clearSession();
    expect(readOverrides('ada')).toEqual({});
  });

  test.each(['{', '[]', '{"account":"ada","flags":{"surprise":true}}', '{"account":"ada","flags":{"jira":"yes"}}'])(
    'ignores the invalid value %s',
    (stored) => {
      sessionStorage.setItem('flagOverrides', stored);
      expect(readOverrides('ada')).toEqual({});
    },
  );
});

test('refetches flags every 300 s and reports usage every 3 minutes', async () => {
  vi.useFakeTimers();
  let requests = 0;
  let counted = 0;
  fakeApi.answer(listFeatureFlags, () => {
    requests += 1;
    return answer('release2');
  });
  fakeApi.answer(reportFlagUsage, () => {
    counted += 1;
    return { accepted: true as const };
  });
  startSession(tokenOf('ada', 'acme'));
  render(<Probe />);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(100);
  expect([requests, counted]).toEqual([1, 0]);
  await pass(179_800);
  expect(counted).toBe(0);
  await pass(200);
  expect([requests, counted]).toEqual([1, 1]);
  await pass(119_800);
  expect(requests).toBe(1);
  await pass(200);
  expect(requests).toBe(2);
});
