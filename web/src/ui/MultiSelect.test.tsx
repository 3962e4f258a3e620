// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { MultiSelect } from './MultiSelect.tsx';

const options = [
  { value: 'owner', label: 'Account Owner' },
  { value: 'contributor', label: 'Code Contributor' },
  { value: 'reviewer', label: 'Digest Reviewer' },
];

function role(values: string[], shown = options) {
  const changes: string[][] = [];
  renderWithTheme(
    <MultiSelect
      name="Role"
      options={shown}
      values={values}
      onChange={(next) => changes.push(next)}
      emptyText="No roles available"
    />,
  );
  return changes;
}

test('shows one chip and counts the rest', () => {
  role(['owner', 'contributor', 'reviewer']);
  expect(screen.getByRole('combobox', { name: 'Role Account Owner +2 more' })).toBeDefined();
});

test('shows no count for one choice', () => {
  role(['reviewer']);
  expect(screen.getByRole('combobox', { name: 'Role Digest Reviewer' })).toBeDefined();
});

test('shows a chosen value that is no longer offered', () => {
  role(['auditor']);
  expect(screen.getByRole('combobox', { name: 'Role auditor' })).toBeDefined();
});

test('adds and removes an option', async () => {
  const changes = role(['owner']);
  await userEvent.click(screen.getByRole('combobox', { name: /^Role/ }));
  expect(screen.getByRole('option', { name: 'Account Owner' }).getAttribute('aria-selected')).toBe('true');
  await userEvent.click(screen.getByRole('option', { name: 'Digest Reviewer' }));
  await userEvent.click(screen.getByRole('option', { name: 'Account Owner' }));
  expect(changes).toEqual([['owner', 'reviewer'], []]);
});

test('clears all with the clear button', async () => {
  const changes = role(['owner', 'reviewer']);
  await userEvent.click(screen.getByRole('button', { name: 'Clear Role' }));
  expect(changes).toEqual([[]]);
});

test('reports that there is nothing to choose from', async () => {
  role([], []);
  await userEvent.click(screen.getByRole('combobox', { name: 'Role' }));
  expect(screen.getByText('No roles available')).toBeDefined();
});
