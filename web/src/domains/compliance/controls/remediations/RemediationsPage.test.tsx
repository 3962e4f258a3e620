// @vitest-environment happy-dom
import { type ControlRow, listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import { getControl } from '@sightline/contract/compliance/control-runs.ts';
import { changeRemediations, recordRetest } from '@sightline/contract/compliance/remediation-changes.ts';
import type { Remediation } from '@sightline/contract/compliance/remediation-schemas.ts';
import { listRemediations } from '@sightline/contract/compliance/remediations.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ControlPage } from '../control/ControlPage.tsx';
import { RemediationsPage } from './RemediationsPage.tsx';

const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
const evaluation = { runId: 'run', at: '2026-07-02T03:17:00.000Z', asOfSize: 4711, period, entryId: 'entry' };
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const remediation: Remediation = {
  id: '018f2a52-0000-7000-8000-000000000001',
  state: 'open',
  failure: { ...evaluation, reasons: ['direct_push'] },
  owner: { id: 'ada', name: 'Ada', isActive: false },
  dueOn: dayBefore(3),
  ticketUrl: 'https://tickets.example/browse/SEC-7',
  ticket: null,
  notes: '',
  remediatedAt: null,
  retests: [],
  text: 'failed, not stated as remediated, not retested',
  allowed: { change: true, retest: true },
};
const row = (number: number, more: Partial<ControlRow>): ControlRow => ({
  subject: `change:${number}`,
  item: { title: `Change ${number}`, severity: null, dueAt: null },
  remediation: null,
  verdict: 'fail',
  reasons: ['direct_push'],
  leaf: number,
  leaves: [number],
  setting: 0,
  position: number,
  repository: null,
  explanations: [],
  ...more,
});
const retested: Remediation = {
  ...remediation,
  state: 'retested',
  remediatedAt: '2026-07-05T10:00:00.000Z',
  retests: [
    {
      id: 'one',
      result: 'fail',
      at: '2026-07-03T10:00:00.000Z',
      by: { id: 'ada', name: 'Ada' },
      evaluation: null,
      notes: '',
      entryId: 'a',
    },
    { id: 'two', result: 'pass', at: '2026-07-06T03:17:00.000Z', by: null, evaluation, notes: '', entryId: 'b' },
  ],
};
const rows = [
  row(1, { remediation }),
  row(2, {}),
  row(3, { verdict: 'pass', remediation: retested }),
  row(4, { verdict: 'pass' }),
];

beforeEach(() => {
  signIn('rol_owner');
  fakeApi.answer(listMembers, () => ({ rows: [], total: 0 }));
  fakeApi.answer(listControlRows, () => ({ rows, total: rows.length }));
  fakeApi.answer(getControl, () => ({
    id: 'CHG-01' as const,
    title: 'Independent approval',
    rule: 'Every change is approved.',
    population: 'Every merge.',
    verdicts: { pass: 'P', fail: 'E', missing_evidence: 'G' },
    parameters: [],
    crosswalk: [],
    sources: [],
    period,
    isEvaluated: true,
    trend: [],
    task: null,
    unrecorded: null,
    weakenings: [],
    result: {
      id: 'run',
      control: 'CHG-01' as const,
      catalogVersion: '1',
      period,
      asOfEpoch: 1,
      asOfSize: 4711,
      status: 'failing' as const,
      runAt: '2026-07-06T03:17:00.000Z',
      seed: 'seed',
      rowsSha256: 'ab',
      hasRows: true,
      completeness: [],
      exclusions: [],
      reasons: { direct_push: 2 },
      entryId: 'entry',
      counts: { population: 4, pass: 2, fail: 2, waived: 0, missing_evidence: 0 },
    },
  }));
});

const visitControl = async () => {
  visitPage('/evidence/controls/$controlId', ControlPage, '/evidence/controls/CHG-01?period=2026-Q3');
  const table = await screen.findByRole('table', { name: 'Items of CHG-01' });
  await within(table).findByText('Change 1');
  return table;
};
const rowNamed = (table: HTMLElement, name: string) => {
  const found = within(table).getByText(name).closest('tr');
  if (!found) throw new Error(`${name} has no row`);
  return found;
};

test('shows owner, days overdue, ticket and state of a failing item, and each retest beside the failure', async () => {
  const table = await visitControl();
  const open = rowNamed(table, 'Change 1');
  expect(open.textContent).toContain('Open');
  for (const text of ['Ada', 'no longer active']) within(open).getByText(text);
  within(open).getByText(/^[23] days overdue$/);
  expect(
    within(open)
      .getByRole('link', { name: /^SEC-7/ })
      .getAttribute('href'),
  ).toBe(remediation.ticketUrl);
  within(rowNamed(table, 'Change 2')).getByText('Not assigned');
  const passed = rowNamed(table, 'Change 3');
  within(passed).getByText('Fail');
  within(passed).getByText('Now: Pass');
  // With the initials of the avatar.
  expect(
    within(within(passed).getByRole('list', { name: 'Retests' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Retest on 3 Jul 2026: Fail by AAda', 'Retest on 6 Jul 2026: Pass by an evaluation']);
  expect(within(rowNamed(table, 'Change 4')).queryByText('Fail')).toBeNull();
});

test('assigns a remediation with the keyboard, sends the edited fields only, and returns the focus', async () => {
  let body: unknown;
  fakeApi.answer(changeRemediations, (input) => {
    body = input.body;
    return { changed: 1 };
  });
  const table = await visitControl();
  const menu = within(rowNamed(table, 'Change 1')).getByRole('button', { name: 'Actions for Change 1' });
  menu.focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change remediation' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remediation of Change 1' });
  const save = within(dialog).getByRole('button', { name: 'Save' });
  expect(save).toHaveProperty('disabled', true);
  const ticket = within(dialog).getByLabelText('Ticket');
  await userEvent.clear(ticket);
  await userEvent.type(ticket, 'SEC-8');
  expect(save).toHaveProperty('disabled', true);
  await userEvent.clear(ticket);
  await userEvent.type(ticket, 'https://tickets.example/8');
  await userEvent.click(within(dialog).getByLabelText('The failure is remediated'));
  await userEvent.click(save);
  await waitFor(() =>
    expect(body).toMatchObject({
      control: 'CHG-01',
      period: '2026-Q3',
      subjects: ['change:1'],
      ticketUrl: 'https://tickets.example/8',
      isRemediated: true,
    }),
  );
  expect(body).not.toHaveProperty('dueOn');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for Change 1'));
});

test('assigns several failed items, and offers no checkbox for an item that never failed', async () => {
  let body: unknown;
  fakeApi.answer(changeRemediations, (input) => {
    body = input.body;
    return { changed: 3 };
  });
  const table = await visitControl();
  expect(within(table).queryByLabelText('Select Change 4')).toBeNull();
  await userEvent.click(within(table).getByLabelText('Select all on this page'));
  await userEvent.click(screen.getByRole('button', { name: 'Assign 3' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remediation of 3 items' });
  await userEvent.type(within(dialog).getByLabelText('Due date'), '2099-01-31');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(body).toEqual({
      control: 'CHG-01',
      period: '2026-Q3',
      subjects: ['change:1', 'change:2', 'change:3'],
      dueOn: '2099-01-31',
    }),
  );
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected items' })).toBeNull());
});

test('records a retest, and keeps the input if it fails', async () => {
  const sent: unknown[] = [];
  fakeApi.answer(recordRetest, ({ params, body }) => {
    sent.push([params, body]);
    return { id: 'retest' };
  });
  const table = await visitControl();
  await userEvent.click(within(rowNamed(table, 'Change 1')).getByRole('button', { name: 'Actions for Change 1' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Record retest' }));
  const dialog = await screen.findByRole('dialog', { name: 'Retest of Change 1' });
  const record = within(dialog).getByRole('button', { name: 'Record retest' });
  expect(record).toHaveProperty('disabled', true);
  await userEvent.click(within(dialog).getByLabelText('Fail'));
  await userEvent.type(within(dialog).getByLabelText('Notes'), 'Still open');
  await userEvent.click(record);
  await waitFor(() =>
    expect(sent).toEqual([[{ remediationId: remediation.id }, { result: 'fail', notes: 'Still open' }]]),
  );
});

test('an auditor sees remediations without actions', async () => {
  signIn('rol_auditor');
  const forAuditors = { ...remediation, allowed: { change: false, retest: false } };
  fakeApi.answer(listControlRows, () => ({ rows: [row(1, { remediation: forAuditors })], total: 1 }));
  const table = await visitControl();
  within(table).getByText('Ada');
  expect(within(table).queryByRole('button', { name: 'Actions for Change 1' })).toBeNull();
  expect(within(table).queryByRole('checkbox')).toBeNull();
});

test('lists remediations by view, with a link to the item of the control, and each state of the list', async () => {
  const listed = {
    ...remediation,
    control: 'CHG-01' as const,
    subject: 'change:1',
    title: 'Change 1',
    repository: null,
  };
  fakeApi.answer(listRemediations, ({ query }) =>
    query?.view === 'overdue' ? { rows: [listed], total: 1 } : { rows: [], total: 0 },
  );
  visitPage('/remediations', RemediationsPage, '/remediations');
  await screen.findByText('No open remediations');
  await userEvent.click(screen.getByRole('link', { name: /^Overdue/ }));
  const link = await screen.findByRole('link', { name: /Change 1/ });
  expect(link.getAttribute('href')).toBe('/evidence/controls/CHG-01?period=2026-Q3&search=change:1');
});

test('shows that the list could not be loaded', async () => {
  fakeApi.refuse(listRemediations, 500, 'internal', 'The server failed.');
  visitPage('/remediations', RemediationsPage, '/remediations');
  await screen.findByText('The remediations could not be loaded');
});
