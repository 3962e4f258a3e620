import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { BundleFiles } from './BundleFiles.tsx';

const file = (path: string, size: number) => ({ path, size, mediaType: 'application/json', sha256: 'a'.repeat(64) });

test('shows top-level files immediately, and files of a folder under its totals', () => {
  renderWithTheme(
    <BundleFiles files={[file('manifest.json', 10), file('changes/1.json', 900), file('changes/2.json', 600)]} />,
  );
  const top = screen.getByRole('table', { name: 'Files of the bundle' });
  expect(within(top).getByText('manifest.json')).toBeTruthy();
  expect(within(top).queryByText('changes/1.json')).toBeNull();
  expect(screen.getByText('2 files, 1.5 kB')).toBeTruthy();
  expect(screen.getByText('changes/2.json').closest('details')?.open).toBe(false);
});

test('shows only folders if no file is at the top level', () => {
  renderWithTheme(<BundleFiles files={[file('changes/1.json', 900)]} />);
  expect(screen.queryByRole('table', { name: 'Files of the bundle' })).toBeNull();
  expect(screen.getByText(/^1 file, /)).toBeTruthy();
});
