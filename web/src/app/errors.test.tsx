// @vitest-environment happy-dom
import { ApiError } from '@sightline/contract/core/client.ts';
import { renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setStored } from '#lib/storage.ts';
import { renderWithTheme } from '#testing/draw.tsx';
import { ErrorHost } from './ErrorHost.tsx';
import { closeError, showError, useShownError } from './errors.ts';

const dialog = () => screen.findByRole('dialog', { name: 'Error' }, { timeout: 10_000 });
const facts = async () => {
  const shown = await dialog();
  const words = [...shown.querySelectorAll('dt')].map(({ textContent }) => textContent);
  return Object.fromEntries(words.map((word, index) => [word, shown.querySelectorAll('dd')[index]?.textContent]));
};
const failed = (status: number, body: unknown) => new ApiError('/v2/repositories', status, body);
const show = (error: unknown) => act(() => showError(error));

beforeEach(() => void renderWithTheme(<ErrorHost />));
afterEach(() => {
  act(closeError);
  localStorage.clear();
  vi.restoreAllMocks();
});

test('opens a closable dialog for a failed request, which states that it was logged', async () => {
  show(failed(500, { code: 'internal', message: 'The database is away.', requestId: 'req-1' }));
  expect((await dialog()).textContent).toContain('The error was logged and someone will fix it.');
  expect(await facts()).toEqual({ Message: 'The database is away.', Request: 'req-1' });
  await userEvent.click(screen.getByText('Close'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('reloads the page on Reload Page', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  show(failed(500, ''));
  await userEvent.click(await screen.findByRole('button', { name: 'Reload Page' }));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('shows message and cause of a failed request if its body is an object', async () => {
  show(failed(502, { message: 'The proxy gave up.', cause: 'upstream timed out' }));
  expect(await facts()).toEqual({ Message: 'The proxy gave up.', Cause: 'upstream timed out' });
});

test('shows the body of a failed request as text otherwise', async () => {
  show(failed(502, 'Bad gateway'));
  expect(await facts()).toEqual({ Message: 'Bad gateway' });
});

test('shows the message of an error that is no request', async () => {
  show(new Error('Out of memory'));
  expect(await facts()).toEqual({ Message: 'Out of memory' });
});

test('opens no dialog for a 401 or in user-testing mode', () => {
  const { result } = renderHook(useShownError);
  show(failed(401, { code: 'unauthenticated', message: 'Sign in again.', requestId: 'req-1' }));
  expect(result.current).toBeUndefined();
  setStored('userTesting', 'true');
  show(failed(500, 'Bad gateway'));
  expect(result.current).toBeUndefined();
  setStored('userTesting', undefined);
  show(failed(500, 'Bad gateway'));
  expect(result.current).toEqual({ message: 'Bad gateway' });
});
