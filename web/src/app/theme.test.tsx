// @vitest-environment happy-dom
import { Tooltip } from '@mantine/core';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';

afterEach(() => {
  vi.useRealTimers();
});

test('closes a tooltip 100 ms after the pointer has left (spec 9)', async () => {
  vi.useFakeTimers();
  renderWithTheme(
    <Tooltip label="Scanner active">
      <button type="button">active</button>
    </Tooltip>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  fireEvent.mouseEnter(screen.getByRole('button'));
  await pass(0);
  expect(screen.getByRole('tooltip')).toBeDefined();
  fireEvent.mouseLeave(screen.getByRole('button'));
  await pass(99);
  expect(screen.queryByRole('tooltip')).not.toBeNull();
  await pass(1);
  expect(screen.queryByRole('tooltip')).toBeNull();
});
