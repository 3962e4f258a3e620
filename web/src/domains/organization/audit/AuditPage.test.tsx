// @vitest-environment happy-dom

import {
  type AuditPage as Answer,
  getAuditEntry,
  getAuditFilters,
  listAudit,
} from '@sightline/contract/organization/audit.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { AuditPage } from './AuditPage.tsx';
import { changedKeys } from './AuditValueChanges.tsx';
import { auditRanges, dateFieldValueOf, rangeStartOf, timeOfDateField } from './dates.ts';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const ada = { kind: 'account', id: id(9), name: 'Ada Byron', email: 'ada@acme.example', picture: null } as const;
const entry = {
  id: id(1),
  at: '2026-11-21T10:24:56.000Z',
  action: 'member.role_changed',
  actor: ada,
  subject: { kind: 'member', id: id(8), name: 'Grace Hopper' },
  sentence: [
    { text: 'changed the role of' },
    { text: 'Grace Hopper', subject: true as const },
    { text: 'from Code Contributor to Auditor' },
  ],
  address: '192.0.2.7',
  browser: 'Firefox on Linux',
};
const answer = (more: Partial<Answer> = {}): Answer => ({
  entries: [entry],
  older: null,
  newer: null,
  searchedTo: null,
  asOf: '2026-11-21T10:30:00.000Z',
  ...more,
});

beforeEach(() => {
  signIn('rol_owner');
  fakeApi.answer(getAuditFilters, () => ({ actions: [], actors: [], subjectKinds: [] }));
  fakeApi.answer(getAuditEntry, () => ({
    ...entry,
    before: { role: 'rol_contributor', seats: 3 },
    after: { role: 'rol_auditor', seats: 3 },
    more: { reason: 'audit season' },
    requestId: 'req-7',
  }));
});

const open = (address = '/audit') => visitPage('/audit', AuditPage, address);

test('expands an entry to its changes and keeps it in the address', async () => {
  fakeApi.answer(listAudit, () => answer());
  const page = open();
  await userEvent.click(await screen.findByRole('button', { name: /^Details of Ada Byron changed the role/ }));
  const changes = await screen.findByRole('table', { name: 'Changes' });
  expect(
    within(changes)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['BeforeAfter', 'RoleCode ContributorAuditor']);
  expect(screen.getByText('audit season')).toBeTruthy();
  expect(page.search()).toEqual({ entry: id(1) });
  await userEvent.click(screen.getByRole('button', { name: 'All by Ada Byron' }));
  expect(page.search()).toEqual({ actor: `account:${id(9)}` });
});

test('requests older and newer pages by the entry they begin with', async () => {
  const requestedCursors: unknown[] = [];
  fakeApi.answer(listAudit, ({ query }) => {
    requestedCursors.push([query?.older, query?.newer]);
    return answer({ older: id(2), newer: query?.older ? id(1) : null });
  });
  const page = open();
  expect((await screen.findByRole('button', { name: 'Newer' })).hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Older' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Newest' }));
  expect(requestedCursors).toEqual([
    [undefined, undefined],
    [id(2), undefined],
  ]);
  expect(page.search()).toEqual({});
});

test('shows how far a search without results went and offers to continue', async () => {
  fakeApi.answer(listAudit, () => answer({ entries: [], older: id(2), searchedTo: '2026-03-03T12:00:00.000Z' }));
  open('/audit?search=zebra');
  expect(await screen.findByRole('heading', { name: 'No entry matches back to 3 Mar 2026' })).toBeTruthy();
  expect(screen.getByText('“zebra”')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Search older entries' })).toBeTruthy();
});

test('shows a role without permission whom to contact', async () => {
  fakeApi.refuse(listAudit, 403, 'forbidden', 'Your role does not allow this.');
  open();
  expect(await screen.findByRole('heading', { name: 'Your role does not include this' })).toBeTruthy();
});

test('shows only differing values as changes', () => {
  expect(changedKeys({ a: 1, b: [1], c: 2 }, { a: 1, b: [2], d: 3 })).toEqual(['b', 'c', 'd']);
  expect(changedKeys(null, { a: 1 })).toEqual(['a']);
  expect(changedKeys({ a: 1 }, null)).toEqual(['a']);
});

test('interprets dates in the time zone of the browser, both inclusive', () => {
  for (const day of ['2026-11-21', '2024-02-29', '2026-03-29', '2026-10-25']) {
    expect([
      dateFieldValueOf(timeOfDateField(day, 'begin'), 'begin'),
      dateFieldValueOf(timeOfDateField(day, 'end'), 'end'),
    ]).toEqual([day, day]);
  }
  expect([
    timeOfDateField('', 'begin'),
    timeOfDateField('0002-01-01', 'begin'),
    dateFieldValueOf(undefined, 'end'),
  ]).toEqual([undefined, undefined, '']);
  const now = new Date(2026, 10, 21, 15, 30);
  expect(auditRanges.map((range) => dateFieldValueOf(rangeStartOf(range, now), 'begin'))).toEqual([
    '2026-11-14',
    '2026-11-07',
    '2026-10-22',
    '2026-01-01',
  ]);
});
