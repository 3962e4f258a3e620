// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { BrandIcon } from './BrandIcon.tsx';
import { ProviderIcon } from './ProviderIcon.tsx';

test.each(['vscode', 'edge', 'trivy'])('has an icon for %s', (name) => {
  renderWithTheme(<BrandIcon name={name} />);
  expect(document.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(screen.queryByLabelText('Unknown tool')).toBeNull();
});

test('shows an unknown icon as a question mark with a text alternative', () => {
  renderWithTheme(<BrandIcon name="quokka" />);
  expect(screen.getByRole('img', { name: 'Unknown tool' }).classList).toContain('tabler-icon-question-mark');
  renderWithTheme(<ProviderIcon provider="quokka" />);
  expect(screen.getByRole('img', { name: 'Unknown provider' }).classList).toContain('tabler-icon-question-mark');
});
