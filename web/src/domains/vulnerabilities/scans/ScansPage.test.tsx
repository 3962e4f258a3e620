// @vitest-environment happy-dom

import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { listAlertImports } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import { allowMissingClasses, listScans, type Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ScansPage } from './ScansPage.tsx';

const repository: RepositoryDetail = {
  id: '018f2a52-0000-7000-8000-000000000001',
  orgId: '018f2a52-0000-7000-8000-00000000000a',
  provider: 'github',
  providerRepoId: '1',
  owner: 'acme',
  name: 'api',
  fullName: 'acme/api',
  defaultBranch: 'main',
  isPrivate: true,
  private: true,
  tracked: true,
  pushedAt: null,
  lastChange: null,
  url: 'https://github.example/acme/api',
  scannerStatus: 'healthy',
  severityCounts: null,
  openPullRequests: 0,
  truncatedAt: null,
  import: null,
  missing: [],
  host: { state: 'connected', account: 'acme', settingsURL: 'https://github.example/acme', since: null },
  counts: { pullRequests: 0, commits: 0, contributors: 0 },
  exploreContext: { contextId: '018f2a52-0000-7000-8000-00000000000c' },
};

const scan = (incomplete: Scan['incomplete']): Scan => ({
  id: '018f2a52-0000-7000-8000-000000000501',
  source: 'sarif',
  category: '',
  ref: 'refs/heads/main',
  commit: null,
  repository: { id: repository.id, fullName: repository.fullName },
  tool: { id: 'spotbugs', name: 'SpotBugs', version: '4.8.6' },
  state: 'done',
  received: 1,
  rejected: [],
  error: null,
  startedBy: 'Ada',
  incomplete,
  counts: { new: 0, unchanged: 1, fixed: 0, reopened: 0, rejected: 0 },
  receivedAt: '2026-11-20T10:00:00Z',
  finishedAt: '2026-11-20T10:00:01Z',
});
const missing = {
  code: 'missing_classes' as const,
  message: 'Classes needed for analysis were missing: [javax.inject.Inject]',
};

function open(role: RoleId, incomplete: NonNullable<Scan['incomplete']>) {
  signIn(role);
  const sent: unknown[] = [];
  let current = incomplete;
  fakeApi.answer(listScans, () => ({ rows: [scan(current)], total: 1 }));
  fakeApi.answer(listAlertImports, () => []);
  fakeApi.answer(allowMissingClasses, ({ params, body }) => {
    sent.push({ ...params, ...body });
    current = { ...current, allowed: body.allowed };
    return null;
  });
  visitPage('/', () => <ScansPage repository={repository} />, '/');
  return sent;
}

test('explains an incomplete scan and lets an owner allow fixes despite missing classes', async () => {
  const sent = open('rol_owner', { reasons: [missing], fixes: false, allowed: false });
  expect(await screen.findByText('Incomplete')).toBeTruthy();
  expect(screen.getByText(missing.message)).toBeTruthy();
  expect(screen.getByText(/so none counts as fixed/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Allow fixes/ }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Stop allowing fixes/ })).toBeTruthy());
  const { provider, fullName } = repository;
  expect(sent).toEqual([{ provider, repoPath: fullName, tool: 'spotbugs', allowed: true }]);
});

test('shows other roles only the reason, and no button for other reasons', async () => {
  open('rol_reviewer', { reasons: [missing], fixes: false, allowed: false });
  await screen.findByText('Incomplete');
  expect(screen.queryByRole('button', { name: /Allow fixes/ })).toBeNull();
});

test('does not allow a failed run', async () => {
  const failed = { code: 'failed' as const, message: 'The scanner reports that its run failed: exit code 2.' };
  open('rol_owner', { reasons: [failed, missing], fixes: false, allowed: true });
  expect(await screen.findByText(failed.message)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /llow/ })).toBeNull();
});
