// @vitest-environment happy-dom
import { ApiError } from '@sightline/contract/core/client.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { Chart } from './Chart.tsx';
import { type ChartData, chartSummary, isEmptyChart, valueText } from './chart.ts';

const data: ChartData = {
  unit: 'count',
  interval: 'day',
  series: [
    { key: 'opened', label: 'Opened', color: 'red', total: '5', href: '/vulnerabilities' },
    { key: 'fixed', label: 'Fixed', color: 'green', total: '1' },
  ],
  points: [
    { day: '2026-11-27', values: { opened: 4, fixed: 0 } },
    { day: '2026-11-28', values: { opened: 1, fixed: 1 } },
  ],
};
const share: ChartData = {
  unit: 'share',
  interval: 'week',
  series: [{ key: 'share', label: 'Approved', color: 'blue' }],
  details: [{ key: 'yes', label: 'Yes' }],
  points: [
    { day: '2026-11-16', values: { share: null, yes: 0 } },
    { day: '2026-11-23', values: { share: 0.995, yes: 199 } },
  ],
};

function show(props: Partial<Parameters<typeof Chart>[0]> = {}) {
  signIn('rol_owner');
  let retries = 0;
  const page = () => (
    <Chart
      title="Vulnerabilities"
      kind="bars"
      data={data}
      failure={null}
      onRetry={() => {
        retries += 1;
      }}
      empty="Nothing was opened."
      {...props}
    />
  );
  return { ...visitPage('/', page, '/'), retries: () => retries };
}

test('draws bars with a text for screen readers, and a legend that links to the lists', async () => {
  show();
  const chart = await screen.findByRole('img', {
    name: 'Vulnerabilities by day, 27 Nov to 28 Nov. Opened 5, Fixed 1.',
  });
  // No bar for zero.
  expect(chart.querySelectorAll('.visx-bar')).toHaveLength(3);
  expect(screen.getByRole('link', { name: 'Opened 5' }).getAttribute('href')).toBe('/vulnerabilities');
});

test('distinguishes series without color', async () => {
  show();
  const chart = await screen.findByRole('img', { name: /^Vulnerabilities by day/ });
  const patterns = [...chart.querySelectorAll('pattern')].map(({ innerHTML }) =>
    innerHTML.replace(/"(red|green)"/, ''),
  );
  expect(new Set(patterns).size).toBe(2);
});

test('shows the same data as a table, newest first', async () => {
  show({ kind: 'lines', data: share });
  await userEvent.click(await screen.findByRole('button', { name: 'Show table of Vulnerabilities' }));
  const rows = within(screen.getByRole('table', { name: 'Vulnerabilities' })).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Week', 'Approved', 'Yes'],
    ['Week of 23 Nov 2026', '99%', '199'],
    ['Week of 16 Nov 2026', '–', '0'],
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Show chart of Vulnerabilities' }));
  expect(await screen.findByRole('img', { name: /^Vulnerabilities by week/ })).toBeTruthy();
});

test('says why it is empty, without a table', async () => {
  show({ data: { ...data, points: [{ day: '2026-11-28', values: { opened: 0, fixed: 0 } }] } });
  await screen.findByText('Nothing was opened.');
  expect(screen.queryByRole('button', { name: /Show table/ })).toBeNull();
});

test('reports a failure and tries again', async () => {
  const { retries } = show({
    data: undefined,
    failure: new ApiError('/trend', 500, { code: 'internal', message: 'The database is away.', requestId: 'req-1' }),
  });
  await screen.findByText('Vulnerabilities could not be loaded');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retries()).toBe(1);
});

test('a share below 1 is never rounded to 100%, and 0% is not empty', () => {
  expect([valueText(0.999, 'share'), valueText(1, 'share'), valueText(null, 'share')]).toEqual(['99%', '100%', '–']);
  expect(isEmptyChart({ ...share, points: [{ day: '2026-11-28', values: { share: 0 } }] })).toBe(false);
  expect(isEmptyChart({ ...share, points: [{ day: '2026-11-28', values: { share: null } }] })).toBe(true);
  expect(chartSummary('Nothing', { ...share, points: [] })).toBe('Nothing');
});
