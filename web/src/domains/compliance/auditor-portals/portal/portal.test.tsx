// @vitest-environment happy-dom
import {
  enterPortal,
  getPortalChange,
  getPortalStatus,
  getPortalVisit,
  type PortalVisit,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { visitPage } from '#testing/visitPage.tsx';
import { EnterPage } from './EnterPage.tsx';
import { PortalChangePage } from './PortalChangePage.tsx';
import { PortalFrame } from './PortalFrame.tsx';

const id = '00000000-0000-4000-8000-000000000001';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const portal = (more: Partial<PortalVisit> = {}): PortalVisit => ({
  id,
  name: 'SOC 2',
  organization: 'Acme',
  auditor: 'Petra Prüfer',
  redaction: 'none',
  snapshots: [],
  createdAt: inDays(-1),
  expiresAt: inDays(3),
  anchoring: { size: 58, signedAt: inDays(-1), anchors: [] },
  ...more,
});
const door = (expiresAt = inDays(3)) => ({ expiresAt, answered: 0 });
const openFrame = () => visitPage('/portal/$portalId', PortalFrame, `/portal/${id}`);
const closed = () => screen.findByRole('heading', { name: 'This portal is not available' });

test('shows organization, recipient, expiry and issuer of an open portal', async () => {
  fakeApi.answer(getPortalStatus, () => door());
  fakeApi.answer(getPortalVisit, () => portal());
  openFrame();
  expect((await screen.findByRole('timer')).textContent).toMatch(/^[23] days$/);
  await screen.findByText('Acme', { selector: 'header b' });
  expect(document.querySelector('svg pattern text')?.textContent).toBe('Petra Prüfer · SOC 2');
  expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toContain('noindex');
  screen.getByText(/No external anchor has a checkpoint of it/);
});

test('hides an expiring portal and its content immediately', { tags: 'full' }, async () => {
  fakeApi.answer(getPortalStatus, () => door(new Date(Date.now() + 1500).toISOString()));
  fakeApi.answer(getPortalVisit, () => portal());
  const { queryClient } = openFrame();
  expect((await screen.findByRole('timer')).textContent).toMatch(/^0 min [01] s$/);
  await closed();
  await waitFor(() =>
    expect(queryClient.getQueryData([getPortalVisit.path, { params: { portalId: id } }])).toBeUndefined(),
  );
});

test('hides a revoked portal at the next status check', { tags: 'full' }, async () => {
  fakeApi.answer(getPortalStatus, () => door());
  fakeApi.answer(getPortalVisit, () => portal());
  openFrame();
  await screen.findByRole('timer');
  fakeApi.refuse(getPortalStatus, 404, 'not_found', 'Not found.');
  await closed();
});

test('opens a portal by its link once and removes the token from the address', async () => {
  const sent: unknown[] = [];
  fakeApi.answer(enterPortal, ({ body }) => {
    sent.push(body);
    return { portalId: id };
  });
  window.history.replaceState(null, '', '/portal#slportal_secret');
  const { address } = visitPage('/portal', EnterPage, '/portal');
  await waitFor(() => expect(address()).toBe(`/portal/${id}`));
  expect(window.location.hash).toBe('');
  expect(sent).toEqual([{ token: 'slportal_secret' }]);
});

test('shows the completeness of each part of a record', async () => {
  const person = { kind: 'human', identity: 'resolved', person: 'per_1' };
  fakeApi.answer(getPortalChange, () => ({
    entry: 41,
    proof: 6,
    asOf: inDays(-9),
    receivedAt: inDays(-9),
    source: 'github',
    title: null,
    subject: { branch: 'main', number: 7, isDefaultBranch: true, missing: [], mergeSha: null },
    parts: {
      authors: { state: 'partial', value: [person] },
      lastPusher: { state: 'missing' },
      earlierPushers: { state: 'missing' },
      unattestedCommits: { state: 'missing' },
      unreviewedFiles: { state: 'missing' },
      hostActivity: { state: 'missing' },
      checks: { state: 'complete', value: [] },
      reviews: {
        state: 'complete',
        value: [{ id: '1', by: person, verdict: 'approved', dismissedAt: { state: 'complete', value: null } }],
      },
    },
  }));
  fakeApi.answer(getPortalVisit, () => portal());
  visitPage(
    '/portal/$portalId/snapshots/$snapshotId/changes/$entry',
    PortalChangePage,
    `/portal/${id}/snapshots/${id}/changes/41`,
  );
  await screen.findByRole('heading', { name: 'Change in ledger entry 41', level: 1 });
  const definitionOf = (term: string) => screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent;
  expect(definitionOf('Branch')).toBe('main');
  expect(definitionOf('Is default branch')).toBe('Yes');
  expect(definitionOf('Merge SHA')).toBe('None');
  expect(definitionOf('Authors')).toBe('At least: Kind: humanIdentity: resolvedPerson: per_1');
  expect(definitionOf('Last pusher')).toBe('Unknown');
  expect(definitionOf('Checks')).toBe('None');
  expect(definitionOf('Reviews')).toContain('Verdict: approved');
  expect(definitionOf('Reviews')).toContain('Dismissed at: None');
});
