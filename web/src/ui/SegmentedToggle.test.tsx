// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { SegmentedToggle } from './SegmentedToggle.tsx';

const open = { value: 'open', label: 'Open PRs' };
const closed = { value: 'closed', label: 'Closed PRs' };

test('has exactly two options, one of them selected', async () => {
  const chosen: string[] = [];
  renderWithTheme(
    <SegmentedToggle label="State" choices={[open, closed]} value="open" onChange={(value) => chosen.push(value)} />,
  );
  const options = screen.getAllByRole('radio') as HTMLInputElement[];
  expect(options.map(({ value, checked }) => [value, checked])).toEqual([
    ['open', true],
    ['closed', false],
  ]);
  await userEvent.click(screen.getByText('Closed PRs'));
  expect(chosen).toEqual(['closed']);
});

test('accepts neither one option nor three at type level', () => {
  const ignore = () => undefined;
  // @ts-expect-error one option is no choice
  expect(<SegmentedToggle label="State" choices={[open]} value="open" onChange={ignore} />).toBeDefined();
  // @ts-expect-error three are another component
  expect(<SegmentedToggle label="State" choices={[open, closed, open]} value="open" onChange={ignore} />).toBeDefined();
});
