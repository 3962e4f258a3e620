// @vitest-environment happy-dom
import { getApprovalTrend } from '@sightline/contract/compliance/changes.ts';
import { getReadiness } from '@sightline/contract/compliance/control-runs.ts';
import { trendIntervals } from '@sightline/contract/core/trends.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { type FindingTrend, getFindingTrend } from '@sightline/contract/vulnerabilities/findings.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { repository as listed } from '#domains/sources/repositories/repository.fixture.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { TrendsPanel } from './TrendsPanel.tsx';

const repository = '0198c0de-0000-7000-8000-000000000001';
const noneOverdue: FindingTrend['overdue'] = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
const today = () => trendIntervals(new Date(), { days: 30, interval: 'day' }).at(-1) ?? '';
let queries: { days?: number; repository?: string | undefined }[];

beforeEach(() => {
  queries = [];
  signIn('rol_owner');
  fakeApi.answer(listFeatureFlags, () => togglesOf('vulnerabilities'));
  fakeApi.answer(listRepositories, () => ({ rows: [listed({ id: repository, fullName: 'acme/api' })], total: 1 }));
  fakeApi.answer(getFindingTrend, ({ query }) => {
    queries.push(query ?? {});
    return {
      interval: 'day' as const,
      points: [
        { day: '2026-11-27', opened: 3, fixed: 0 },
        { day: '2026-11-28', opened: 1, fixed: 2 },
      ],
      overdue: { ...noneOverdue, critical: 2, low: 1 },
      lastScanAt: '2026-11-28T08:00:00Z',
    };
  });
  fakeApi.answer(getReadiness, () => [
    { framework: 'SOC 2 (2017 criteria)', points: [{ day: today(), passing: 9, applicable: 12 }] },
    { framework: 'PCI DSS 4.0.1', points: [{ day: today(), passing: 2, applicable: 3 }] },
    { framework: 'OWASP SAMM 2', points: [{ day: today(), passing: 0, applicable: 0 }] },
  ]);
  fakeApi.answer(getApprovalTrend, ({ query }) => {
    queries.push(query ?? {});
    return { points: [{ day: '2026-11-23', yes: 3, no: 1, unknown: 2 }] };
  });
});

const hrefs = async (name: RegExp) =>
  (await screen.findAllByRole('link', { name })).map((link) => [link.textContent, link.getAttribute('href')]);

test('links each series and each count to the list that it counts', async () => {
  visitPage('/', TrendsPanel, '/');
  const from = '2026-11-27T00:00:00Z';
  expect(await hrefs(/^(Opened|Fixed)/)).toEqual([
    ['Opened 4', `/vulnerabilities?status=open,dismissed,exception,fixed&discoveredFrom=${from}`],
    ['Fixed 2', `/vulnerabilities?status=fixed&fixedFrom=${from}`],
  ]);
  expect((await hrefs(/Overdue|Critical|Low/)).map(([, href]) => href)).toEqual([
    '/vulnerabilities?overdue=true',
    '/vulnerabilities?severity=critical&overdue=true',
    '/vulnerabilities?severity=low&overdue=true',
  ]);
  const merges = '/changes?mergeMethod=pull_request,merge_queue';
  const since = 'from=2026-11-23T00:00:00Z';
  expect(await hrefs(/independent approval|^Approved|^Not approved|^Unknown/)).toEqual([
    ['With independent approval 75%', `${merges}&approval=yes,no&${since}`],
    ['Approved 3', `${merges}&approval=yes&${since}`],
    ['Not approved 1', `${merges}&approval=no&${since}`],
    ['Unknown 2', `${merges}&approval=unknown&${since}`],
  ]);
});

test('shows the readiness of each framework with applicable controls, and the trend of a selected one', async () => {
  visitPage('/', TrendsPanel, '/');
  expect((await hrefs(/^Applicable/))[0]?.[0]).toBe('Applicable controls passing 75%');
  expect(await hrefs(/passing$/)).toEqual([
    ['SOC 2 (2017 criteria)9 of 12 passing', '/evidence?framework=SOC+2+%282017+criteria%29'],
    ['PCI DSS 4.0.12 of 3 passing', '/evidence?framework=PCI+DSS+4.0.1'],
  ]);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Framework' }), 'PCI DSS 4.0.1');
  expect((await hrefs(/^Applicable/))[0]?.[0]).toBe('Applicable controls passing 66%');
});

test('requests the selected time range and repository', async () => {
  visitPage('/', TrendsPanel, '/');
  await screen.findByText('Approved merges');
  await userEvent.click(screen.getByRole('radio', { name: '90 days' }));
  await waitFor(() => expect(queries.filter(({ days }) => days === 90)).toHaveLength(2));
  await screen.findByText('acme/api', {}, { timeout: 3000 });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Repository' }), 'acme/api');
  await waitFor(() => expect(queries.at(-1)?.repository).toBe(repository));
  expect((await hrefs(/^Not approved/))[0]?.[1]).toContain(`repository=${repository}`);
});

test('omits readiness for a role without access to evidence, and vulnerabilities while they are disabled', async () => {
  signIn('rol_contributor');
  fakeApi.answer(listFeatureFlags, () => togglesOf());
  visitPage('/', TrendsPanel, '/');
  await screen.findByText('Approved merges');
  expect(screen.queryByText('Framework readiness')).toBeNull();
  expect(screen.queryByText('Opened and fixed vulnerabilities')).toBeNull();
});

test('says what appears after the first scan, evaluation and merge', async () => {
  fakeApi.answer(getFindingTrend, () => ({
    interval: 'day' as const,
    points: [],
    overdue: noneOverdue,
    lastScanAt: null,
  }));
  fakeApi.answer(getReadiness, () => [{ framework: 'PCI DSS 4.0.1', points: [] }]);
  fakeApi.answer(getApprovalTrend, () => ({ points: [{ day: '2026-11-23', yes: 0, no: 0, unknown: 0 }] }));
  visitPage('/', TrendsPanel, '/');
  await screen.findByText(/appear here after the first scan/);
  await screen.findByText(/appears here after their first evaluation/);
  await screen.findByText(/No merge of the last 30 days has a known approval status/);
  expect(screen.queryByText(/overdue/)).toBeNull();
});
