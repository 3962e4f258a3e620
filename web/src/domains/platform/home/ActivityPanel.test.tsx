import { listChanges } from '@sightline/contract/compliance/changes.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { recordHomeVisit } from '@sightline/contract/organization/members.ts';
import { listTools } from '@sightline/contract/tools/tools.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ActivityPanel } from './ActivityPanel.tsx';

const visitedAt = '2026-11-20T08:00:00.000Z';
const counted = (total: number) => ({ rows: [], total });
/** The times from which lists were requested. */
let starts: (string | undefined)[];

beforeEach(() => {
  starts = [];
  signIn('rol_owner');
  fakeApi.answer(listFeatureFlags, () => togglesOf('vulnerabilities'));
  fakeApi.answer(recordHomeVisit, () => ({ previousAt: visitedAt }));
  fakeApi.answer(listFindings, ({ query }) => {
    if (query?.fixedFrom !== undefined) return counted(3);
    starts.push(query?.discoveredFrom);
    return counted(7);
  });
  fakeApi.answer(listChanges, ({ query }) => counted(String(query?.mergeMethod) === 'direct_push' ? 1 : 0));
  fakeApi.answer(listTools, ({ body }) => counted(body.tab === 'developer' ? 2 : 0));
  fakeApi.answer(listAudit, () => ({
    entries: [],
    older: '0198c0de-0000-7000-8000-000000000001',
    newer: null,
    searchedTo: null,
    asOf: visitedAt,
  }));
});

const cards = async () => {
  await screen.findByText('new vulnerabilities');
  await waitFor(() => expect(screen.queryByText('–')).toBeNull());
  return within(screen.getByRole('list'))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
};

test('counts what happened since the last visit, with links to the lists', async () => {
  visitPage('/', ActivityPanel, '/');
  expect(await cards()).toEqual([
    ['7new vulnerabilities', `/vulnerabilities?discoveredFrom=${visitedAt}`],
    ['3fixed vulnerabilities', `/vulnerabilities?status=fixed&fixedFrom=${visitedAt}`],
    ['0merges without approval', `/changes?mergeMethod=pull_request,merge_queue&approval=no&from=${visitedAt}`],
    ['1direct push', `/changes?mergeMethod=direct_push&from=${visitedAt}`],
    ['0changes written by agents', `/changes?only=agent&from=${visitedAt}`],
    ['0new CI/CD tools', `/tools?activeRange=any&firstSeenFrom=${visitedAt}`],
    ['2new developer tools', `/tools?tab=developer&activeRange=any&firstSeenFrom=${visitedAt}`],
    ['0+access changes', `/audit?subjectKind=member,invitation,access_key&from=${visitedAt}`],
  ]);
});

test('counts from another time when one is selected', async () => {
  visitPage('/', ActivityPanel, '/');
  await cards();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Time range' }), 'Last 30 days');
  await waitFor(() => expect(new Set(starts).size).toBe(2));
  const days = (Date.now() - Date.parse(starts.at(-1) ?? '')) / 86_400_000;
  expect(Math.round(days)).toBe(30);
});

test('offers the last seven days on a first visit', async () => {
  fakeApi.answer(recordHomeVisit, () => ({ previousAt: null }));
  visitPage('/', ActivityPanel, '/');
  await cards();
  const select = screen.getByRole('combobox', { name: 'Time range' }) as HTMLSelectElement;
  expect([...select.options].map(({ text }) => text)).toEqual(['Last 24 hours', 'Last 7 days', 'Last 30 days']);
  expect(select.value).toBe('week');
});
