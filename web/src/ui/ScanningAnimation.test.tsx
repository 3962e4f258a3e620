// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { ScanningAnimation } from './ScanningAnimation.tsx';

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('names one repository after the other, every 3 s', () => {
  renderWithTheme(<ScanningAnimation names={['acme/api', 'acme/web']} />);
  pass(2999);
  expect(screen.getByText('acme/api')).toBeDefined();
  pass(1);
  expect(screen.getByText('acme/web')).toBeDefined();
  pass(3000);
  expect(screen.getByText('acme/api')).toBeDefined();
});

test('does not move with reduced motion', () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => Object.assign(new EventTarget(), { matches: true, media: query }) as MediaQueryList,
  );
  renderWithTheme(<ScanningAnimation names={['acme/api', 'acme/web']} />);
  pass(3000);
  expect(screen.getByText('acme/api')).toBeDefined();
});
