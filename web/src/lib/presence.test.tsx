// @vitest-environment happy-dom
import { getExtensionStatus, getUserStatus } from '@sightline/contract/tools/presence.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { extensions } from '#testing/people.fixture.ts';
import { signIn } from '#testing/visitPage.tsx';
import { useExtensions, useStatusWatch } from './presence.ts';

let drawn = 0;
function Status() {
  drawn += 1;
  return <p>{useExtensions()?.ide_status ?? 'unknown'}</p>;
}
function Watch() {
  useStatusWatch();
  return null;
}

beforeEach(() => {
  signIn('rol_owner');
  drawn = 0;
});
afterEach(() => vi.useRealTimers());

test('shares polled status everywhere and renders an unchanged one once', async () => {
  vi.useFakeTimers();
  let status = extensions();
  let requests = 0;
  fakeApi.answer(getExtensionStatus, () => extensions());
  fakeApi.answer(getUserStatus, () => {
    requests += 1;
    return { ...status, vscode: false, currentProject: null };
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Watch />
      <Status />
    </QueryClientProvider>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(100);
  expect(screen.getByText('disconnected')).toBeTruthy();
  const before = drawn;
  await pass(30_000);
  // Every 5 s, with 10 % tolerance.
  expect(requests).toBeGreaterThanOrEqual(6);
  expect(requests).toBeLessThanOrEqual(8);
  expect(drawn).toBe(before);
  status = extensions({ ide_status: 'connected', ide_type: 'vscode' });
  await pass(5_600);
  expect(screen.getByText('connected')).toBeTruthy();
});

test('polls the status of extensions every five minutes', async () => {
  vi.useFakeTimers();
  let requests = 0;
  fakeApi.answer(getExtensionStatus, () => {
    requests += 1;
    return extensions();
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Status />
    </QueryClientProvider>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(299_000);
  expect(requests).toBe(1);
  await pass(1_100);
  expect(requests).toBe(2);
});
