// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { SearchBox } from './SearchBox.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const type = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } });

function search(value: string) {
  const asked: string[] = [];
  const box = (now: string) => <SearchBox label="Search members" value={now} onChange={(next) => asked.push(next)} />;
  const { redraw } = renderWithTheme(box(value));
  return { asked, give: (next: string) => redraw(box(next)) };
}

test('requests once, 250 ms after the last key', () => {
  const { asked } = search('');
  type('le');
  vi.advanceTimersByTime(249);
  type('led');
  vi.advanceTimersByTime(249);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(asked).toEqual(['led']);
});

test('requests immediately on Enter and on clearing', () => {
  const { asked } = search('');
  type('led');
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  vi.runAllTimers();
  expect(asked).toEqual(['led', '']);
});

test('follows the URL, but a response to its own change does not undo newer typing', () => {
  const { give } = search('');
  type('led');
  vi.advanceTimersByTime(250);
  type('ledger');
  give('led');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('ledger');
  give('other');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('other');
});
