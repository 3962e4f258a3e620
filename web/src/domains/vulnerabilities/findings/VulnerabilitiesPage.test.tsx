// @vitest-environment happy-dom

import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { editFindings, undoFindingEdit } from '@sightline/contract/vulnerabilities/finding-edits.ts';
import {
  type Finding,
  type FindingStats,
  getFindingStats,
  listFindingFilter,
  listFindingGroups,
  listFindings,
  markFindingRead,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { dismissFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { toast } from '#ui/toast.ts';
import { finding, stats } from './finding.fixture.ts';
import { VulnerabilitiesPage } from './VulnerabilitiesPage.tsx';

function open({
  role = 'rol_owner' as RoleId,
  address = '/vulnerabilities',
  rows = [finding()] as Finding[],
  numbers = stats() as FindingStats,
} = {}) {
  signIn(role);
  const requests: unknown[] = [];
  fakeApi.answer(listFindings, ({ query }) => {
    requests.push(query);
    return { rows, total: rows.length };
  });
  fakeApi.answer(getFindingStats, () => numbers);
  fakeApi.answer(listFindingFilter, ({ params }) =>
    params.name === 'dataSources'
      ? [{ value: 'codeql', label: 'CodeQL', count: 3 }]
      : params.name === 'labels'
        ? [{ value: 'backend', label: 'backend', count: 2 }]
        : [],
  );
  return { requests, ...visitPage('/vulnerabilities', VulnerabilitiesPage, address) };
}

const row = async () => (await screen.findAllByRole('row'))[1] as HTMLElement;
const second = finding({ id: '018f2a52-0000-7000-8000-000000000102', title: 'Weak hash' });

test('shows title, location, category, tool and time of a vulnerability and links to its page', async () => {
  const { requests } = open({ address: '/vulnerabilities?severity=critical,high&search=sql&sort=date-desc' });
  const link = await screen.findByRole('link', { name: /SQL injection through sort parameter/ });
  expect(requests[0]).toMatchObject({ severity: ['critical', 'high'], search: 'sql', sort: 'date-desc', perPage: 10 });
  const words = (await row()).textContent;
  for (const part of [
    'Critical',
    'New',
    'CWE-89',
    'acme/api',
    'src/statements/query.ts:48',
    'Code Security (SAST)',
    'CodeQL',
    '1 hour ago',
  ]) {
    expect(words).toContain(part);
  }
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Vulnerability', 'Category', 'Data Source', 'Date of discovery', 'Actions']),
  );
  expect(link.getAttribute('href')).toBe(
    `/vulnerabilities/${finding().id}?search=sql&sort=date-desc&severity=critical,high`,
  );
});

test('filters overdue findings and those in own code, and shows and removes the time of a linked list', async () => {
  const { search, requests } = open({ address: '/vulnerabilities?status=fixed&fixedFrom=2026-11-01T00:00:00Z' });
  await waitFor(() => expect(requests[0]).toMatchObject({ status: ['fixed'], fixedFrom: '2026-11-01T00:00:00Z' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Remove filter: Fixed since/ }));
  await userEvent.click(screen.getByRole('combobox', { name: /^More filters/ }));
  await userEvent.click(await screen.findByRole('option', { name: /^Overdue/ }));
  await waitFor(() => expect(search()).toEqual({ status: 'fixed', overdue: 'true' }));
  await userEvent.click(screen.getByRole('option', { name: /^In your code/ }));
  await waitFor(() => expect(search()).toEqual({ status: 'fixed', overdue: 'true', introducedBy: 'me' }));
});

test('counts findings and changes of recent scans on the card, and filters by severity', {
  tags: 'full',
}, async () => {
  const { search, requests } = open();
  expect(await screen.findByText('214')).toBeTruthy();
  expect(screen.getByText('open in 18 repositories')).toBeTruthy();
  expect(screen.getByText('9 fewer', { exact: false }).textContent).toBe('9 fewer since last scan, 12 new, 21 fixed');
  expect(screen.getByRole('img', { name: 'Open vulnerabilities over 2 days, from 238 down to 214' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^High 31/ }));
  await userEvent.click(screen.getByRole('button', { name: /^Critical 7/ }));
  expect(search()).toEqual({ severity: 'critical,high' });
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ severity: ['critical', 'high'] }));
  expect(screen.getByRole('button', { name: /^High 31/ }).getAttribute('aria-pressed')).toBe('true');
});

test('marks as read immediately and reverts if refused', { tags: 'full' }, async () => {
  open();
  let readRequest: unknown;
  fakeApi.answer(markFindingRead, ({ params, body }) => {
    readRequest = { ...params, ...body };
    return null;
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Actions for SQL/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mark as read' }));
  await waitFor(() => expect(screen.queryByText('New')).toBeNull());
  expect(readRequest).toEqual({ findingId: finding().id, read: true });

  fakeApi.refuse(markFindingRead, 503, 'unavailable', 'The database is away.');
  await userEvent.click(screen.getByRole('button', { name: /^Actions for SQL/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Mark as unread' }));
  await waitFor(() => expect(screen.queryByText('New')).toBeNull());
});

test('copies the link to the finding without the list', async () => {
  open({ address: '/vulnerabilities?severity=critical' });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Actions for SQL/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/vulnerabilities/${finding().id}`);
});

test('reports that no scan exists and offers an owner to connect a scanner', async () => {
  const numbers = stats({ total: 0, lastScanAt: null, changeSinceLastScan: null, trend: [] });
  open({ rows: [], numbers });
  expect(await screen.findByRole('heading', { name: 'No vulnerabilities detected' })).toBeTruthy();
  expect(screen.getByText(/No scan results for your repositories yet/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Connect a scanner' }).getAttribute('href')).toBe(
    '/integrations/security-scanners',
  );
  await waitFor(() => expect(screen.queryByRole('search')).toBeNull());
  expect(screen.getByRole('button', { name: 'Export' }).hasAttribute('disabled')).toBe(true);
});

test('shows when the last scan ran and what was closed if nothing is open', async () => {
  const { search } = open({ rows: [], numbers: stats({ total: 0 }) });
  expect(await screen.findByText(/No open vulnerabilities/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'View fixed and dismissed vulnerabilities' }));
  expect(search()).toEqual({ status: 'dismissed,exception,fixed' });
});

test('names filters without matches and clears them', async () => {
  const { search } = open({ rows: [], address: '/vulnerabilities?dataSource=codeql&status=fixed&search=zz' });
  expect(await screen.findByText('No vulnerability matches')).toBeTruthy();
  const filters = screen.getByRole('list', { name: 'Filters in use' });
  await waitFor(() =>
    expect(
      within(filters)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Data Source: CodeQL', 'Status: Fixed', '“zz”']),
  );
  await userEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement);
  expect(search()).toEqual({});
});

test('reports a missing permission', async () => {
  open();
  fakeApi.refuse(listFindings, 403, 'forbidden', 'This needs read:vulnerabilities.');
  expect(await screen.findByText('Your role does not include this')).toBeTruthy();
});

test('applies one decision to the selection, which is cleared with the filters', { tags: 'full' }, async () => {
  const dismissed: unknown[] = [];
  fakeApi.answer(dismissFindings, ({ body }) => {
    dismissed.push(body);
    return { changed: body.ids, skipped: [] };
  });
  open({ rows: [finding(), second] });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  expect(screen.getByText('2 selected')).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Weak hash' }));
  expect(screen.getByText('1 selected')).toBeTruthy();
  const bar = screen.getByRole('region', { name: 'Selected vulnerabilities' });
  await userEvent.click(within(bar).getByRole('button', { name: 'Dismiss' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('radio', { name: /False positive/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(dismissed).toEqual([{ ids: [finding().id], reason: 'false_positive', comment: '' }]));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected vulnerabilities' })).toBeNull());

  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Weak hash' }));
  await userEvent.click(screen.getByRole('button', { name: /^High 31/ }));
  await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull());
});

test('offers a contributor only waiver requests, and an auditor no decisions', { tags: 'full' }, async () => {
  open({ role: 'rol_contributor' });
  await userEvent.click(await screen.findByRole('button', { name: /^Actions for SQL/ }));
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  expect(items).toEqual(['Open details', 'Copy link', 'Mark as read', 'Request waiver']);
  cleanup();
  open({ role: 'rol_auditor' });
  await screen.findByRole('button', { name: /^Actions for SQL/ });
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('shows time remaining and assignee, and other columns on request, which the address keeps', async () => {
  const assigned = finding({
    assignee: { id: 'ada', name: 'Ada Lovelace', picture: null },
    ticketUrl: 'https://tickets.example/browse/API-7',
    labels: ['backend'],
  });
  const { search } = open({ rows: [assigned] });
  const text = async () => (await row()).textContent;
  await screen.findByText('Ada Lovelace');
  expect(await text()).toContain('6 days left');
  expect(await text()).toContain('Ada Lovelace');
  expect(screen.queryByRole('columnheader', { name: 'Ticket' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Ticket' }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Category' }));
  await waitFor(() => expect(search()).toEqual({ columns: 'severity,source,date,due,assignee,ticket' }));
  expect(await screen.findByRole('columnheader', { name: 'Ticket' })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Category' })).toBeNull();
  expect(
    within(await row())
      .getByRole('link', { name: /API-7/ })
      .getAttribute('href'),
  ).toBe(assigned.ticketUrl);
});

test('assigns and labels all findings of the filters, and undoes it', async () => {
  const edits: unknown[] = [];
  fakeApi.answer(editFindings, ({ query, body }) => {
    edits.push([query?.severity, body]);
    return { editId: '018f2a52-0000-7000-8000-00000000ed17', changed: 31, unchanged: 0 };
  });
  const undone: unknown[] = [];
  fakeApi.answer(undoFindingEdit, ({ params }) => {
    undone.push(params.editId);
    return { changed: 30, unchanged: 1 };
  });
  fakeApi.answer(listMembers, () => ({ rows: [], total: 0 }));
  const rows = [finding(), second];
  open({ rows, address: '/vulnerabilities?severity=high' });
  fakeApi.answer(listFindings, () => ({ rows, total: 31 }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  const bar = await screen.findByRole('region', { name: 'Selected vulnerabilities' });
  await userEvent.click(within(bar).getByRole('button', { name: 'Select all 31' }));
  expect(within(bar).queryByRole('button', { name: 'Dismiss' })).toBeNull();
  await userEvent.click(within(bar).getByRole('button', { name: 'Assign and label' }));
  const dialog = await screen.findByRole('dialog', { name: 'Assign and label 31 vulnerabilities' });
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Ticket' }), 'https://tickets.example/API-7');
  await userEvent.type(within(dialog).getByRole('combobox', { name: 'Add labels' }), 'backend{Enter}');
  const offer = vi.spyOn(toast, 'offer');
  const success = vi.spyOn(toast, 'success');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(edits).toEqual([
      [
        ['high'],
        {
          findings: { total: 31 },
          edit: { ticketUrl: 'https://tickets.example/API-7', addLabels: ['backend'] },
        },
      ],
    ]),
  );
  await waitFor(() => expect(offer.mock.lastCall?.[1]).toBe('Undo'));
  offer.mock.lastCall?.[2]();
  await waitFor(() =>
    expect(success).toHaveBeenCalledWith('The change was undone for 30 vulnerabilities. 1 were changed again since.'),
  );
  expect(undone).toEqual(['018f2a52-0000-7000-8000-00000000ed17']);
});

test('groups findings and links each group to its list', async () => {
  fakeApi.answer(listFindingGroups, ({ query }) => ({
    groups: [
      { value: 'lodash', label: `${query?.by}: lodash`, count: 1200 },
      { value: null, label: 'No component', count: 3 },
    ],
    others: 7,
  }));
  open({ address: '/vulnerabilities?severity=high&group=component' });
  const link = await screen.findByRole('link', { name: 'component: lodash' });
  expect(link.getAttribute('href')).toBe('/vulnerabilities?severity=high&component=lodash');
  expect((await row()).textContent).toContain('1,200');
  expect(screen.getByText(/7 more vulnerabilities are in smaller groups/)).toBeTruthy();
});

test('does not refetch statistics within ten minutes (spec 9)', async () => {
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  try {
    open();
    await screen.findByText('214');
    const requests: (readonly unknown[])[] = [];
    fakeApi.answer(getFindingStats, ({ query }) => {
      requests.push(query?.severity ?? []);
      return stats();
    });
    const critical = () => screen.findByRole('button', { name: /^Critical 7/ });
    const unfiltered = () => requests.filter((severities) => severities.length === 0).length;
    const filterAndClear = async () => {
      await userEvent.click(await critical());
      await waitFor(async () => expect((await critical()).getAttribute('aria-pressed')).toBe('true'));
      await userEvent.click(await critical());
      await waitFor(async () => expect((await critical()).getAttribute('aria-pressed')).toBe('false'));
    };
    await filterAndClear();
    clock.mockReturnValue(now + 599_000);
    await filterAndClear();
    expect(unfiltered()).toBe(0);
    clock.mockReturnValue(now + 601_000);
    await filterAndClear();
    await waitFor(() => expect(unfiltered()).toBe(1));
  } finally {
    clock.mockRestore();
  }
});

test('shows vulnerabilities at a ledger size without statistics, selection and filters of today', async () => {
  const { requests } = open({ address: '/vulnerabilities?ledgerSize=1.4711&status=fixed&group=rule' });
  await screen.findByRole('link', { name: /SQL injection through sort parameter/ });
  expect(requests[0]).toMatchObject({ ledgerSize: '1.4711', status: ['fixed'] });
  expect(screen.queryByText('214')).toBeNull();
  expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  await userEvent.click(screen.getByRole('combobox', { name: /^More filters/ }));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Overdue']);
});
