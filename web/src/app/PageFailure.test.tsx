// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '#testing/draw.tsx';
import { Framed } from './Framed.ts';
import { PageFailure } from './PageFailure.tsx';

afterEach(() => vi.restoreAllMocks());

function fail(isFramed: boolean): void {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const failure = <PageFailure error={new Error('no module')} reset={() => undefined} />;
  draw(<Framed value={isFramed}>{failure}</Framed>);
}

test('offline it says so, claims no update, and opens the page once the connection is back', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  fail(true);
  expect(screen.getByRole('heading', { name: 'You are offline' })).toBeTruthy();
  expect(screen.queryByText(/updated/)).toBeNull();
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledOnce();
});

test('online it offers to reload', () => {
  fail(true);
  expect(screen.getByRole('heading', { name: 'This page could not be shown' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload Page' })).toBeTruthy();
});

test('it brings a logo only where no frame has one', () => {
  fail(true);
  expect(screen.queryByRole('link', { name: /Sightline/ })).toBeNull();
  cleanup();
  fail(false);
  expect(screen.getByRole('link', { name: /Sightline/ })).toBeTruthy();
});
