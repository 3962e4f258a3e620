// @vitest-environment happy-dom
import { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import {
  type ControlRun,
  type ControlState,
  getControl,
  getControlsOverview,
  listControls,
  runControls,
} from '@sightline/contract/compliance/control-runs.ts';
import { getLedger, type Ledger } from '@sightline/contract/ledger/ledger.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { controlPeriodChoices, periodLabel } from '#ui/periods.ts';
import { ControlPage } from './control/ControlPage.tsx';
import { EvidencePage } from './EvidencePage.tsx';

const period = { from: '2026-10-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
const run: ControlRun = {
  id: 'run',
  control: 'CHG-01',
  catalogVersion: '1',
  period,
  asOfEpoch: 1,
  asOfSize: 4711,
  status: 'failing',
  runAt: '2026-11-20T10:00:00.000Z',
  seed: 'seed',
  rowsSha256: 'ab',
  hasRows: true,
  counts: { population: 10, pass: 7, fail: 2, waived: 0, missing_evidence: 1 },
  completeness: [
    { source: 'pushes', isIndependent: true, expected: 12, found: 10 },
    { source: 'pull_requests', isIndependent: true, expected: null, found: 9 },
    { source: 'tools', isIndependent: false, expected: null, found: 8 },
  ],
  exclusions: [],
  reasons: { direct_push: 2, reviews_missing: 1 },
  entryId: 'entry',
};
const state = (more: Partial<ControlState> = {}): ControlState => ({
  id: 'CHG-01',
  title: 'Independent approval after the last push',
  rule: 'Every change is approved.',
  population: 'Every merge.',
  verdicts: { pass: 'P', fail: 'E', missing_evidence: 'G' },
  parameters: [],
  crosswalk: [{ framework: 'SOC 2 (2017 criteria)', requirement: 'CC8.1', title: 'Changes are approved' }],
  sources: [{ id: 'pushes', title: 'Pushes to branches', remedy: 'Read again.' }],
  period,
  isEvaluated: true,
  result: run,
  trend: [],
  task: null,
  ...more,
});
const empty: ControlState = state({ id: 'DIG-01', title: 'Commit digests reviewed in time', result: null });
const unrecorded = {
  total: 2,
  repositories: [
    { id: 'hidden', name: 'acme/hidden', recorded: [] },
    {
      id: 'paused',
      name: 'acme/paused',
      recorded: [
        { from: null, to: '2026-10-02T10:00:00.000Z' },
        { from: '2026-10-02T10:00:30.000Z', to: null },
      ],
    },
  ],
};
const ledger: Ledger = {
  epoch: 1,
  origin: 'o',
  size: 4711,
  root: 'r',
  checkpoint: null,
  keys: [],
  anchors: [],
  check: null,
  pending: { count: 0, oldest: null },
  halted: null,
  isPublic: false,
  checks: [],
  epochs: [],
};

beforeEach(() => {
  signIn('rol_owner');
  fakeApi.answer(listControls, () => [state(), empty]);
  fakeApi.answer(getLedger, () => ledger);
  fakeApi.answer(getControlsOverview, () => ({
    period,
    asOf: { epoch: 1, size: 4711, evaluatedAt: run.runAt },
    counts: { passing: 0, failing: 1, missing_evidence: 0, not_applicable: 0, not_evaluated: 1 },
    trend: [],
    missing: [
      {
        source: 'pull_requests',
        title: 'Pull requests and their reviews',
        remedy: 'Grant the right.',
        link: '/integrations/source-code-management',
        rows: 1,
        controls: [{ id: 'CHG-01' as const, rows: 1, reasons: [], incomplete: true }],
      },
      { source: 'time', title: 'Time', remedy: '', link: null, rows: 3, controls: [] },
    ],
    unrecorded,
    running: 0,
  }));
});

test.each([
  ['/evidence', '/evidence', EvidencePage],
  ['/evidence/controls/CHG-01', '/evidence/controls/$controlId', ControlPage],
] as const)('lists on %s the repositories that were disabled in the period', async (address, path, page) => {
  fakeApi.answer(getControl, () => ({ ...state(), unrecorded, weakenings: [] }));
  fakeApi.answer(listControlRows, () => ({ total: 0, rows: [] }));
  visitPage(path, page, address);
  const list = await screen.findByRole('list', { name: 'Disabled repositories' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'acme/hidden Not recorded',
    'acme/paused Recorded until 2 Oct 2026, 10:00:00, from 2 Oct 2026, 10:00:30 (UTC)',
  ]);
});

/** Waits for the table with controls, which replaces a table without rows. */
const controlsShown = () =>
  waitFor(() => {
    const table = screen.getByRole('table', { name: 'Controls' });
    within(table).getByText('Failing');
    return table;
  });

test('renders no control before the content above it, so that none shifts', async () => {
  fakeApi.answer(getControlsOverview, () => new Promise<never>(() => undefined));
  const { queryClient } = visitPage('/evidence', EvidencePage, '/evidence');
  const listResponses = () => queryClient.getQueriesData({}).filter(([, data]) => Array.isArray(data));
  await waitFor(() => expect(listResponses()).not.toEqual([]));
  expect(screen.queryByText('Independent approval after the last push')).toBeNull();
});

test('names periods in words', () => {
  expect(['2026-Q4', '2026-11', '2026', '2026-10-05..2026-10-18'].map(periodLabel)).toEqual([
    'Q4 2026',
    'November 2026',
    '2026',
    '5 Oct 2026 to 18 Oct 2026',
  ]);
  const choices = controlPeriodChoices(new Date('2026-11-22T00:00:00Z'), '2026-10-05..2026-10-18').map(
    ({ value }) => value,
  );
  expect(choices).toEqual([
    ...['2026-10-05..2026-10-18', '2026-Q4', '2026-Q3', '2026-Q2', '2026-Q1', '2025-Q4'],
    ...['2026-11', '2026-10', '2026-09', '2026', '2025'],
  ]);
});

test('shows control status in the overview, and missing evidence with one action', async () => {
  visitPage('/evidence', EvidencePage, '/evidence');
  const table = await controlsShown();
  within(table).getByText('2 fail · 1 missing evidence · 7 pass');
  within(table).getByText('Not evaluated for this period');
  const close = await screen.findByRole('link', { name: 'Connect source: Pull requests and their reviews' });
  expect(close.getAttribute('href')).toBe('/integrations/source-code-management');
  // Missing evidence that only needs time has no action.
  expect(screen.queryByText('Time')).toBeNull();
});

test('filters the table by a status and clears the filter', async () => {
  visitPage('/evidence', EvidencePage, '/evidence?status=passing');
  await screen.findByText('No controls match these filters');
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await controlsShown();
});

test('filters the table by a framework', async () => {
  visitPage('/evidence', EvidencePage, '/evidence?framework=PCI%20DSS%204.0.1');
  await screen.findByText('No controls match these filters');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Framework' }), 'SOC 2 (2017 criteria)');
  await controlsShown();
});

test('evaluates all controls on request of a permitted role', async () => {
  let requestBody: unknown;
  fakeApi.answer(runControls, ({ body }) => {
    requestBody = body;
    return [];
  });
  visitPage('/evidence', EvidencePage, '/evidence?period=2026-Q3');
  await userEvent.click(await screen.findByRole('button', { name: 'Evaluate controls' }));
  await waitFor(() => expect(requestBody).toEqual({ period: '2026-Q3' }));
});

test('shows results to an auditor and offers no evaluation', async () => {
  signIn('rol_auditor');
  visitPage('/evidence', EvidencePage, '/evidence');
  await controlsShown();
  expect(screen.queryByRole('button', { name: 'Evaluate controls' })).toBeNull();
});

test('shows whether the population of a control is complete, and explains each item', async () => {
  fakeApi.answer(getControl, () => ({ ...state(), unrecorded, weakenings: [] }));
  fakeApi.answer(listControlRows, () => ({
    total: 1,
    rows: [
      {
        subject: 'change:1',
        item: { title: 'Rotate keys #7', severity: null, dueAt: null },
        verdict: 'fail' as const,
        reasons: ['direct_push'],
        leaf: 9,
        leaves: [9],
        setting: 0,
        position: 0,
        repository: { id: 'r', provider: 'github', fullName: 'acme/api' },
        remediation: null,
        explanations: [{ code: 'direct_push', text: 'The change was pushed directly.', about: null, remedy: null }],
      },
      {
        subject: 'finding:018f2a52-0000-7000-8000-000000000101',
        item: {
          title: 'SQL injection',
          severity: 'high' as const,
          dueAt: new Date(Date.now() - 12.5 * 86_400_000).toISOString(),
        },
        verdict: 'fail' as const,
        reasons: ['overdue'],
        leaf: 10,
        leaves: [10],
        setting: 0,
        position: 1,
        repository: null,
        remediation: null,
        explanations: [],
      },
    ],
  }));
  visitPage('/evidence/controls/$controlId', ControlPage, '/evidence/controls/CHG-01');
  await screen.findByText('Pushes to branches: 10 of 12 recorded');
  screen.getByText('Pull requests and their reviews: 9 recorded, total unknown');
  screen.getByText('Detected tools and their approvals: 8 recorded, not counted independently');
  const rows = await screen.findByRole('table', { name: 'Items of CHG-01' });
  await within(rows).findByText('The change was pushed directly.');
  expect(within(rows).getByRole('link', { name: '9' }).getAttribute('href')).toBe('/ledger?entry=9');
  expect(within(rows).getByRole('link', { name: 'Rotate keys #7' }).getAttribute('href')).toBe('/changes/1');
  expect(within(rows).getByRole('link', { name: 'SQL injection' })).toBeTruthy();
  for (const text of ['High', '13 days overdue']) expect(within(rows).getByText(text)).toBeTruthy();
  expect(rows.textContent).not.toContain('018f2a52-0000-7000-8000-000000000101');
});

test('shows how many items each parameter excluded, and warns if none is left', async () => {
  const exclusions = [{ parameter: 'exemptBranches', setting: 3, items: 4, byDefault: 1 }];
  const parameter = {
    name: 'exemptBranches',
    title: 'Exempt source branches',
    default: [],
    stricter: 'fewer',
  } as const;
  const counts = { population: 0, pass: 0, fail: 0, waived: 0, missing_evidence: 0 };
  const result = { ...run, status: 'missing_evidence' as const, counts, exclusions };
  const parameters = [{ ...parameter, kind: 'patterns' as const, default: [] }];
  const weakening = {
    entry: 9,
    at: '2026-11-20T10:00:00.000Z',
    policy: 'p',
    version: 2,
    parameter: 'exemptBranches',
    repositories: null,
    before: 'none',
    after: '**',
    author: { id: 'a', name: 'Ada' },
    approver: null,
    selfApproved: false,
  };
  fakeApi.answer(getControl, () => ({ ...state({ parameters, result }), unrecorded, weakenings: [weakening] }));
  fakeApi.answer(listControlRows, () => ({ total: 0, rows: [] }));
  visitPage('/evidence/controls/$controlId', ControlPage, '/evidence/controls/CHG-01');
  await screen.findByText('Exempt source branches: 4 items excluded by version 3, 1 of them also by default');
  screen.getByText(/exclude every item of this period/);
  screen.getByText(/weakened from none to \*\*.*By Ada, not independently approved\.$/);
  await screen.findByText('Missing evidence in this period');
});

test('reports a period without evaluations and counts no control as passing', async () => {
  fakeApi.answer(getControlsOverview, () => ({
    period,
    asOf: null,
    trend: [],
    missing: [],
    unrecorded: null,
    running: 0,
    counts: { passing: 0, failing: 0, missing_evidence: 0, not_applicable: 0, not_evaluated: 18 },
  }));
  visitPage('/evidence', EvidencePage, '/evidence');
  await screen.findByText('No control has been evaluated for this period.');
  expect(screen.queryByText(/of 0/)).toBeNull();
});

test('shows no items and no error for a control that was not evaluated in the period', async () => {
  fakeApi.answer(getControl, () => ({ ...state({ result: null }), unrecorded: null, weakenings: [] }));
  visitPage('/evidence/controls/$controlId', ControlPage, '/evidence/controls/CHG-01');
  await screen.findByText('No items');
  expect(screen.queryByText('The rows could not be loaded')).toBeNull();
});
