// @vitest-environment happy-dom

import {
  getHostAccessStatus,
  type HostAccessItem,
  listHostAccess,
} from '@sightline/contract/compliance/host-access.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { DutiesPage } from './DutiesPage.tsx';
import { HostAccessPage } from './HostAccessPage.tsx';

const path = '/evidence/host-access';
const item: HostAccessItem = {
  holder: { id: 'h1', provider: 'github', kind: 'person', name: 'eve', person: { id: 'p1', name: 'Eve Moneypenny' } },
  repository: { id: 'r1', fullName: 'acme/api' },
  permission: 'admin',
  routes: ['outside'],
  since: '2026-11-20T10:00:00.000Z',
  isMember: false,
  duties: { write: 'yes', approve: 'yes', bypass: 'unknown', administer: 'yes', waive: 'no' },
};

test('shows who is no member, and that the access to a repository is not completely known', async () => {
  signIn('rol_auditor');
  fakeApi.answer(listHostAccess, () => ({ rows: [item], total: 1 }));
  fakeApi.answer(getHostAccessStatus, () => ({
    repositories: 2,
    incomplete: 1,
    examples: [{ id: 'r2', fullName: 'acme/web', readAt: null, isTooOld: false, missing: [] }],
  }));
  visitPage(path, HostAccessPage, path);
  expect(await screen.findByText('Eve Moneypenny')).toBeTruthy();
  expect(screen.getByText('No member')).toBeTruthy();
  expect(await screen.findByText('The access to one enabled repository is not completely known.')).toBeTruthy();
});

test('shows an unknown duty as unknown', async () => {
  signIn('rol_auditor');
  fakeApi.answer(listHostAccess, () => ({ rows: [item], total: 1 }));
  fakeApi.answer(getHostAccessStatus, () => ({ repositories: 1, incomplete: 0, examples: [] }));
  visitPage(`${path}/duties`, DutiesPage, `${path}/duties`);
  expect((await screen.findAllByText('Unknown')).length).toBe(1);
  expect(screen.getAllByText('Yes').length).toBe(3);
});

test('leads to the integrations while nothing is recorded', async () => {
  signIn('rol_auditor');
  fakeApi.answer(listHostAccess, () => ({ rows: [], total: 0 }));
  fakeApi.answer(getHostAccessStatus, () => ({ repositories: 0, incomplete: 0, examples: [] }));
  visitPage(path, HostAccessPage, path);
  const link = await screen.findByRole('link', { name: 'Integrations' });
  expect(link.getAttribute('href')).toBe('/integrations/source-code-management');
  expect(screen.getByText(/Members \(read\) and Administration \(read\)/)).toBeTruthy();
});
