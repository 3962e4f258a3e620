// @vitest-environment happy-dom
import { notifications, notificationsStore } from '@mantine/notifications';
import { fireEvent, screen, within } from '@testing-library/react';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { toast } from '#ui/toast.ts';
import { Toasts } from './Toasts.tsx';

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** The number of visible toasts, without those that are disappearing. */
const visibleToasts = () => notificationsStore.getState().notifications.length;
const showToast = (show: () => unknown) =>
  act(async () => {
    show();
    await vi.advanceTimersByTimeAsync(0);
  });

beforeEach(() => {
  vi.useFakeTimers();
  notifications.clean();
  renderWithTheme(<Toasts />);
});
afterEach(() => {
  act(() => notifications.clean());
  vi.useRealTimers();
});

test('hides a toast after 4000 ms and not before', async () => {
  await showToast(() => toast.success('Saved.'));
  await pass(3999);
  expect(screen.getByText('Saved.')).toBeDefined();
  expect(visibleToasts()).toBe(1);
  await pass(1);
  expect(visibleToasts()).toBe(0);
});

test('keeps an error toast until it is dismissed', async () => {
  await showToast(() => toast.error('The name is taken.'));
  await pass(600_000);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('The name is taken.');
  fireEvent.click(within(alert).getByRole('button', { name: 'Dismiss' }));
  expect(visibleToasts()).toBe(0);
  await pass(1000);
  expect(screen.queryByText('The name is taken.')).toBeNull();
});

test('shows a toast with an action twice as long and hides it once the action is taken', async () => {
  const undo = vi.fn();
  await showToast(() => toast.offer('The repository is disabled.', 'Undo', undo));
  await pass(7999);
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(visibleToasts()).toBe(0);
});
