// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { InFrameContext } from './Framed.ts';
import { PageFailure } from './PageFailure.tsx';

afterEach(() => vi.restoreAllMocks());

function fail(isFramed: boolean): void {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const failure = <PageFailure error={new Error('no module')} reset={() => undefined} />;
  renderWithTheme(<InFrameContext value={isFramed}>{failure}</InFrameContext>);
}

test('reports missing network, claims no update, and reloads the page after reconnecting', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  fail(true);
  expect(screen.getByRole('heading', { name: 'You are offline' })).toBeTruthy();
  expect(screen.queryByText(/updated/)).toBeNull();
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledOnce();
});

test('offers a reload while online', () => {
  fail(true);
  expect(screen.getByRole('heading', { name: 'Page not shown' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload Page' })).toBeTruthy();
});

test('shows a logo only outside a frame that has one', () => {
  fail(true);
  expect(screen.queryByRole('link', { name: /Sightline/ })).toBeNull();
  cleanup();
  fail(false);
  expect(screen.getByRole('link', { name: /Sightline/ })).toBeTruthy();
});
