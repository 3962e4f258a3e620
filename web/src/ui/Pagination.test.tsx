// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { Pagination } from './Pagination.tsx';

function pagination(page: number, total: number) {
  const changes = { pages: [] as number[], sizes: [] as number[] };
  renderWithTheme(
    <Pagination
      page={page}
      perPage={10}
      total={total}
      onPage={(next) => changes.pages.push(next)}
      onPerPage={(size) => changes.sizes.push(size)}
    />,
  );
  return changes;
}
const control = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

describe('at the bounds', () => {
  test('has no previous page on the first', async () => {
    const changes = pagination(1, 18);
    expect(screen.getByText('1–10 of 18')).toBeDefined();
    expect(control('Previous page').disabled).toBe(true);
    await userEvent.click(control('Next page'));
    expect(changes.pages).toEqual([2]);
  });

  test('has no next page on the last, which ends at the total', () => {
    pagination(2, 18);
    expect(screen.getByText('11–18 of 18')).toBeDefined();
    expect(control('Next page').disabled).toBe(true);
  });

  test('shows a page beyond the last as the last', () => {
    pagination(9, 18);
    expect(screen.getByText('11–18 of 18')).toBeDefined();
  });

  test('does not request the current page again', async () => {
    const changes = pagination(1, 18);
    await userEvent.click(control('Page 1'));
    expect(changes.pages).toEqual([]);
  });

  test('shows nothing for an empty list', () => {
    pagination(1, 0);
    expect(screen.queryByText('Rows')).toBeNull();
  });
});

test('offers 5, 10, 20 and 40 rows', async () => {
  const changes = pagination(1, 100);
  await userEvent.click(screen.getByRole('combobox', { name: 'Rows per page' }));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['5', '10', '20', '40']);
  await userEvent.click(screen.getByRole('option', { name: '40' }));
  expect(changes.sizes).toEqual([40]);
});
