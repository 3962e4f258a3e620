import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { ZoneSelect } from './ZoneSelect.tsx';

test('lists half-hour offsets behind "More offsets…", which keeps the list open', async () => {
  const user = userEvent.setup();
  const chosen: number[] = [];
  renderWithTheme(<ZoneSelect offset={0} onChange={(offset) => chosen.push(offset)} />);
  await user.click(screen.getByRole('combobox', { name: 'Timezone' }));
  expect(screen.queryByRole('option', { name: 'UTC+05:30' })).toBeNull();
  await user.click(screen.getByRole('option', { name: 'More offsets…' }));
  expect(chosen).toEqual([]);
  expect(screen.queryByRole('option', { name: 'More offsets…' })).toBeNull();
  await user.click(await screen.findByRole('option', { name: 'UTC+05:30' }));
  expect(chosen).toEqual([330]);
});

test('updates the clock beside the time zone every second', () => {
  vi.useFakeTimers({ now: new Date('2026-11-22T10:00:58.500Z') });
  try {
    renderWithTheme(<ZoneSelect offset={60} onChange={() => undefined} />);
    const clock = screen.getByTitle('Time now');
    expect(clock.textContent).toBe('11:00:58');
    act(() => vi.advanceTimersByTime(1000));
    expect(clock.textContent).toBe('11:00:59');
    act(() => vi.advanceTimersByTime(1000));
    expect(clock.textContent).toBe('11:01:00');
  } finally {
    vi.useRealTimers();
  }
});
