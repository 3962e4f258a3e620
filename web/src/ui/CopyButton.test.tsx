// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { CopyButton } from './CopyButton.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('shows Copied! for 2 s', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  vi.useFakeTimers();
  renderWithTheme(<CopyButton value="kind:commit" label="Copy the query" />);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  fireEvent.click(screen.getByRole('button'));
  await pass(0);
  expect(navigator.clipboard.writeText).toHaveBeenCalledWith('kind:commit');
  expect(screen.getByRole('button').textContent).toBe('Copied!');
  await pass(1999);
  expect(screen.getByRole('button').textContent).toBe('Copied!');
  await pass(1);
  expect(screen.getByRole('button').textContent).toBe('Copy the query');
});
