// @vitest-environment happy-dom
import {
  approveFrameworkMapping,
  type FrameworkDetails,
  getFramework,
  importFramework,
  listFrameworks,
  updateFrameworkMapping,
  updateFrameworkRequirement,
} from '@sightline/contract/compliance/frameworks.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { FrameworkPage } from './FrameworkPage.tsx';
import { FrameworksPage } from './FrameworksPage.tsx';

const bob = '3f6f1f0e-5b0b-4a6e-9d8a-0a1b2c3d4e5f';
const details = { owner: null, dueOn: null, notes: '' };
const framework = (more: Partial<FrameworkDetails> = {}): FrameworkDetails => ({
  id: 'soc2',
  name: 'SOC 2 (2017 criteria)',
  kind: 'built_in',
  source: 'https://www.aicpa-cima.com/criteria',
  requirements: 2,
  covered: 1,
  mapping: { version: 1, sha256: 'ab'.repeat(32), changed: null, approved: null },
  identifiers: null,
  hasPublishedTitles: false,
  period: { from: '2026-10-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' },
  intervals: { unit: 'week', starts: ['2026-10-01', '2026-10-05'] },
  controls: [
    {
      id: 'CHG-01',
      title: 'Independent approval after the last push',
      status: 'failing',
      history: ['not_evaluated', 'passing'],
    },
  ],
  rows: [
    {
      id: 'CC8.1',
      title: 'Change management',
      controls: [{ id: 'CHG-01', rationale: 'Another person approved the change.' }],
      gap: null,
      ...details,
      owner: { id: bob, name: 'Bob' },
      dueOn: '2026-12-31',
      notes: 'Ask Bob.',
    },
    { id: 'CC6.1', title: 'Logical access security', controls: [], gap: 'Sign-in is not recorded.', ...details },
  ],
  ...more,
});

beforeEach(() => {
  signIn('rol_owner');
  fakeApi.answer(listMembers, () => ({ rows: [], total: 0 }));
});

const visit = (search = '') =>
  visitPage('/evidence/frameworks/$frameworkId', FrameworkPage, `/evidence/frameworks/soc2${search}`);

test('shows the status of each control in each interval as text, and requirements without a control', async () => {
  fakeApi.answer(getFramework, () => framework());
  visit();
  const control = (await screen.findByText('Another person approved the change.')).closest('tr') as HTMLElement;
  expect(
    within(control)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('CHG-01'), 'Failing', '–Not evaluated', 'PPassing']);
  expect(within(control).getByRole('rowheader').textContent).toContain('BobDue 31 Dec 2026Ask Bob.');
  expect(screen.getByText('No control covers this requirement.').parentElement?.textContent).toContain(
    'Sign-in is not recorded.',
  );
  expect(screen.getByText(/Titles are short names/)).toBeTruthy();
});

test('filters by coverage in the address', async () => {
  fakeApi.answer(getFramework, () => framework());
  visit('?coverage=none');
  expect(await screen.findByText('CC6.1')).toBeTruthy();
  expect(screen.queryByText('CC8.1')).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('Status of a control'), 'failing');
  expect(await screen.findByText('No requirements match these filters')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('CC8.1')).toBeTruthy();
});

test('saves owner, due date and notes', async () => {
  fakeApi.answer(getFramework, () => framework());
  const saved: unknown[] = [];
  fakeApi.answer(updateFrameworkRequirement, (input) => {
    saved.push(input);
    return null;
  });
  visit();
  await userEvent.click(await screen.findByRole('button', { name: 'Edit CC8.1' }));
  const notes = await screen.findByLabelText('Notes');
  await userEvent.clear(notes);
  await userEvent.type(notes, 'Done.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(saved).toMatchObject([
      { params: { requirementId: 'CC8.1' }, body: { ownerId: bob, dueOn: '2026-12-31', notes: 'Done.' } },
    ]),
  );
});

test('approves the mappings that are shown', async () => {
  fakeApi.answer(getFramework, () => framework());
  const approved: unknown[] = [];
  fakeApi.answer(approveFrameworkMapping, ({ body }) => {
    approved.push(body);
    return framework().mapping;
  });
  visit();
  await userEvent.click(await screen.findByRole('button', { name: 'Approve mappings' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(approved).toEqual([{ sha256: 'ab'.repeat(32) }]));
});

test('maps a requirement of an imported framework and keeps the other mappings', async () => {
  fakeApi.answer(getFramework, () => framework({ kind: 'imported' }));
  const saved: unknown[] = [];
  fakeApi.answer(updateFrameworkMapping, ({ body }) => {
    saved.push(body);
    return framework().mapping;
  });
  visit();
  await userEvent.click(await screen.findByRole('button', { name: 'Map CC8.1 to controls' }));
  const rationale = await screen.findByLabelText('Rationale of CHG-01');
  await userEvent.clear(rationale);
  expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
  await userEvent.type(rationale, 'Reviewed.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(saved).toEqual([
      { version: 1, mappings: [{ requirement: 'CC8.1', control: 'CHG-01', rationale: 'Reviewed.' }] },
    ]),
  );
});

test('auditors read without changing, and a failure can be retried', async () => {
  signIn('rol_auditor');
  fakeApi.refuse(getFramework, 500, 'internal', 'Broken.');
  visit();
  const retry = await screen.findByRole('button', { name: /try again/i });
  fakeApi.answer(getFramework, () => framework({ kind: 'imported' }));
  await userEvent.click(retry);
  expect(await screen.findByText('CC8.1')).toBeTruthy();
  for (const name of ['Edit CC8.1', 'Map CC8.1 to controls', 'Approve mappings', 'Remove']) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

test('imports a profile and shows why another file is rejected', async () => {
  fakeApi.answer(listFrameworks, () => [framework()]);
  fakeApi.refuse(importFramework, 400, 'validation_failed', 'document must be JSON.');
  visitPage('/evidence/frameworks', FrameworksPage, '/evidence/frameworks');
  expect(await screen.findByText('Not approved')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Import profile' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'Ours');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['{'], 'ours.json', { type: 'application/json' }));
  await userEvent.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText('document must be JSON.')).toBeTruthy();
});
