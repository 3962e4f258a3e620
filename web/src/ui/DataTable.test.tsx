// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import type { Column } from './column.ts';
import { DataTable } from './DataTable.tsx';

interface TableRow {
  name: string;
  stars: number;
}

const columns: Column<TableRow>[] = [
  { key: 'name', header: 'Name', sort: 'name', place: 'main', cell: ({ name }) => <b>{name}</b> },
  { key: 'stars', header: 'Stars', sort: 'stars', firstDirection: 'desc', cell: ({ stars }) => stars },
  { key: 'menu', header: 'Actions', place: 'menu', cell: () => <button type="button">Open menu</button> },
];
const ledger = { name: 'ledger-api', stars: 7 };

function table(props: Partial<Parameters<typeof DataTable<TableRow>>[0]>) {
  return (
    <DataTable
      label="Repositories"
      columns={columns}
      rows={[ledger]}
      rowKey={({ name }) => name}
      empty="No repositories"
      {...props}
    />
  );
}

test('shows a busy table without rows before the first response', () => {
  renderWithTheme(table({ rows: undefined, skeletonRows: 5 }));
  const busy = screen.getByRole('table', { name: 'Repositories' });
  expect(busy.getAttribute('aria-busy')).toBe('true');
  expect(within(busy).getAllByRole('row')).toHaveLength(1);
});

test('shows the empty state without a table', () => {
  renderWithTheme(table({ rows: [] }));
  expect(screen.getByText('No repositories')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});

test('keeps old rows while a newer response is loading', () => {
  renderWithTheme(table({ stale: true }));
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  expect(screen.getByText('ledger-api')).toBeDefined();
});

test('shows the sort order in the head and reverses it', async () => {
  const sorts: string[] = [];
  renderWithTheme(table({ sort: 'name-asc', onSort: (sort) => sorts.push(sort) }));
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending');
  expect(screen.getByRole('columnheader', { name: 'Stars' }).getAttribute('aria-sort')).toBe('none');
  expect(screen.getByRole('columnheader', { name: 'Actions' }).hasAttribute('aria-sort')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Name' }));
  await userEvent.click(screen.getByRole('button', { name: 'Stars' }));
  expect(sorts).toEqual(['name-desc', 'stars-desc']);
});

test('links the main cell and opens a row once from its whole width', async () => {
  const { visited } = renderWithTheme(table({ rowHref: ({ name }) => `/repository/${name}` }));
  expect(screen.getByRole('link', { name: 'ledger-api' }).getAttribute('href')).toBe('/repository/ledger-api');
  await userEvent.click(screen.getByText('ledger-api'));
  await userEvent.click(screen.getByText('7'));
  expect(visited).toEqual(['/repository/ledger-api', '/repository/ledger-api']);
});

test('does not open a row from a control in it', async () => {
  const { visited } = renderWithTheme(table({ rowHref: ({ name }) => `/repository/${name}` }));
  await userEvent.click(screen.getByRole('button', { name: 'Open menu' }));
  expect(visited).toEqual([]);
});
