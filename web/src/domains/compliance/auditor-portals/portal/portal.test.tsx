// @vitest-environment happy-dom
import {
  enterPortal,
  getPortalStatus,
  getPortalVisit,
  type PortalVisit,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { type Custody, getPortalChange } from '@sightline/contract/compliance/portal-changes.ts';
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
  people: 'pseudonyms',
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

const person = '0190aaaa-0000-7000-8000-0000deadbeef';
const reviewer = '0190aaaa-0000-7000-8000-0000cafebabe';
const actor = (id: string) => ({ person: id, kind: 'human', identity: 'resolved' }) as const;
const missing = { state: 'missing', value: null } as const;
const complete = <Value,>(value: Value) => ({ state: 'complete' as const, value });
const parts: Custody = {
  authors: { state: 'partial', value: [actor(person)] },
  sessionOwners: complete([]),
  agents: complete([{ agent: 'Claude', isDeclared: true, observed: 'yes' as const, sessions: 2 }]),
  ai: complete([{ lines: 12, confidence: 'declared' }]),
  headSha: complete('a'.repeat(40)),
  lastPusher: missing,
  earlierPushers: missing,
  unattestedCommits: missing,
  lastPushAt: missing,
  reviews: complete([
    {
      id: '1',
      by: actor(reviewer),
      verdict: 'approved',
      submittedAt: '2026-07-10T11:00:00.000Z',
      isDismissed: 'no',
      commit: 'a'.repeat(40),
      isForHead: 'yes',
      wasMember: 'yes',
    },
  ]),
  unreviewedFiles: missing,
  hostActivity: missing,
  requiredChecks: complete(['build']),
  checks: complete([]),
  sourceBranch: missing,
  labels: missing,
  tickets: missing,
  linkedIssues: missing,
  pathMatches: missing,
  changedLines: missing,
  configuredServers: missing,
  mergeRequestedBy: missing,
  mergedBy: missing,
};

test('shows the chain of custody with pseudonyms, names where the portal has them, and missing evidence', async () => {
  fakeApi.answer(getPortalChange, () => ({
    entry: 41,
    proof: 2,
    asOf: '2026-07-10T12:00:00.000Z',
    receivedAt: '2026-07-10T12:00:01.000Z',
    source: 'github',
    title: null,
    repository: 'acme/widgets',
    subject: { branch: 'main', number: 7, isDefaultBranch: true, missing: [], mergeSha: null },
    parts,
    people: [
      { id: person, pseudonym: 'Person deadbeef', name: null },
      { id: reviewer, pseudonym: 'Person cafebabe', name: 'Rita Review' },
    ],
    versions: [{ entry: 41, version: 1, receivedAt: '2026-07-10T12:00:01.000Z', proof: 2 }],
    scans: null,
    results: [],
    waivers: [
      {
        control: 'CHG-01',
        requested: { entry: 50, at: '2026-07-11T00:00:00.000Z', by: person },
        decided: { entry: 51, at: '2026-07-12T00:00:00.000Z', by: reviewer, as: 'approved' },
        ended: null,
        until: '2026-08-01',
      },
    ],
    remediations: [],
    policies: [],
    inclusion: { entry: '{"kind":"change"}', proof: ['aaa=', 'bbb='], checkpoint: 'acme/ledger\n58\n' },
  }));
  fakeApi.answer(getPortalVisit, () => portal({ people: 'names' }));
  visitPage(
    '/portal/$portalId/snapshots/$snapshotId/changes/$entry',
    PortalChangePage,
    `/portal/${id}/snapshots/${id}/changes/41`,
  );
  await screen.findByRole('heading', { name: 'Change in ledger entry 41', level: 1 });
  const definitionOf = (term: string) => screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent;
  expect(definitionOf('Repository')).toBe('acme/widgets');
  expect(definitionOf('Branch')).toBe('main (default branch)');
  expect(definitionOf('Merged commit')).toBe('Unknown');
  const stepOf = (title: string) => screen.getByRole('heading', { name: title, level: 3 }).parentElement?.textContent;
  expect(stepOf('Authored')).toContain('Person deadbeef');
  expect(stepOf('Authored')).toContain('Missing evidence: authors (incomplete), proof of authorship');
  expect(stepOf('Tools and agents')).toContain('12 lines attributed to agents (declared)');
  expect(stepOf('Tools and agents')).toContain('Claude: declared, observed in 2 sessions');
  expect(stepOf('Reviewed')).toContain('Rita Review approved on 10 Jul 2026');
  expect(stepOf('Checked')).toContain('build required, did not run');
  expect(stepOf('Merged')).toBe(
    'MergedMissing evidence: merger, content of the merged commit, activity on the code host',
  );
  screen.getByText(/Waiver of CHG-01, requested by Person deadbeef .* approved by Rita Review .*ledger entry 51/);
  expect(definitionOf('Inclusion proof')).toBe('aaa=bbb=');
  expect(screen.getByRole('table', { name: 'People' }).textContent).toContain('Rita Review');
});
