import { listAccessReviews } from '@sightline/contract/compliance/access-reviews.ts';
import { listPortals } from '@sightline/contract/compliance/auditor-portals.ts';
import { getControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { listDigests } from '@sightline/contract/compliance/digests.ts';
import { countOverdueRemediations } from '@sightline/contract/compliance/overdue-remediations.ts';
import { listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { listWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { AttentionPanel } from './AttentionPanel.tsx';

const counted = (total: number) => ({ rows: [], total });
const overview = (failing: number) => ({
  period: { from: '2026-10-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
  asOf: null,
  counts: { passing: 0, failing, missing_evidence: 0, not_applicable: 0, not_evaluated: 0 },
  trend: [],
  missing: [],
  unrecorded: null,
  running: 0,
});

beforeEach(() => {
  fakeApi.answer(listFeatureFlags, () => togglesOf('vulnerabilities'));
  fakeApi.answer(listIntegrations, () => []);
  fakeApi.answer(listPortals, ({ query }) =>
    counted(query?.requests === 'open' ? 2 : query?.requests === 'overdue' && String(query.state) === 'open' ? 1 : 9),
  );
  fakeApi.answer(listPolicyChanges, ({ query }) => counted(query?.view === 'pending' ? 1 : 9));
  fakeApi.answer(listWaivers, ({ query }) => counted(query?.view === 'open' ? 1 : 0));
  fakeApi.answer(listDigests, ({ query }) => counted(String(query?.state) === 'open,partly' ? 1_200 : 9));
  fakeApi.answer(countOverdueRemediations, () => ({ count: 2 }));
  fakeApi.answer(listAccessReviews, () => counted(0));
  fakeApi.answer(getControlsOverview, () => overview(3));
  fakeApi.answer(listFindings, ({ query }) => counted(query?.overdue ? 4 : query?.introducedBy ? 1 : 0));
});

const rows = async (last = 'Overdue vulnerabilities') => {
  await screen.findByText('Failing controls');
  await screen.findByText(last);
  return within(screen.getByRole('list'))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
};

test('lists an owner the work that waits, each kind with the link to the list that it counts', async () => {
  signIn('rol_owner');
  visitPage('/', AttentionPanel, '/');
  expect(await rows()).toEqual([
    ['Auditor portal with overdue requests1', '/evidence/auditor-portals?requests=overdue&state=open'],
    ['Auditor portals with unanswered requests2', '/evidence/auditor-portals?requests=open'],
    ['Policy change to decide1', '/policies/changes'],
    ['Waiver to decide1', '/waivers'],
    ['Commit digests to review1,200', '/digests?state=open,partly&sort=due-asc'],
    ['Failing controls3', '/evidence?status=failing'],
    ['Overdue remediations2', '/remediations?view=overdue'],
    ['Overdue vulnerabilities4', '/vulnerabilities?overdue=true'],
    ['Open vulnerability in your code1', '/vulnerabilities?introducedBy=me'],
  ]);
});

test('omits work that a role may not do', async () => {
  signIn('rol_auditor');
  visitPage('/', AttentionPanel, '/');
  expect((await rows()).map(([text]) => text)).toEqual([
    'Failing controls3',
    'Overdue remediations2',
    'Overdue vulnerabilities4',
    'Open vulnerability in your code1',
  ]);
});

test('says that nothing waits', async () => {
  signIn('rol_auditor');
  fakeApi.answer(getControlsOverview, () => overview(0));
  fakeApi.answer(listFindings, () => counted(0));
  fakeApi.answer(countOverdueRemediations, () => ({ count: 0 }));
  visitPage('/', AttentionPanel, '/');
  await screen.findByText('Nothing needs your attention.');
});

test('shows the other counts if one fails, and requests it again', async () => {
  signIn('rol_auditor');
  fakeApi.refuse(listFindings, 403, 'forbidden', 'Not now.');
  visitPage('/', AttentionPanel, '/');
  expect(await rows('Some of this could not be loaded.')).toEqual([
    ['Failing controls3', '/evidence?status=failing'],
    ['Overdue remediations2', '/remediations?view=overdue'],
  ]);
  fakeApi.answer(listFindings, () => counted(4));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Overdue vulnerabilities');
});
