// @vitest-environment happy-dom

import { getControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { getOrganization, listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import {
  listProviderRepos,
  listRepositories,
  type RepositoryImport,
  retryImport,
} from '@sightline/contract/sources/repositories.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { account, organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { EvidencePage } from '../domains/compliance/controls/EvidencePage.tsx';
import { HomePage } from '../domains/platform/home/HomePage.tsx';
import { IntegrationsPage } from '../domains/sources/integrations/IntegrationsPage.tsx';
import { RepositoriesPage } from '../domains/sources/repositories/RepositoriesPage.tsx';
import { repository, runningImport } from '../domains/sources/repositories/repository.fixture.ts';

beforeEach(() => {
  signIn('rol_owner');
  fakeApi.answer(getAccount, () => account({ traits: { onboardingComplete: true } }));
  fakeApi.answer(listFeatureFlags, () => togglesOf('release2'));
  fakeApi.answer(listOrganizations, () => [organization()]);
  fakeApi.answer(getOrganization, () => organization());
  fakeApi.answer(listProviderRepos, () => ({ providerRepos: {} }));
  fakeApi.answer(listIntegrations, () => []);
  fakeApi.answer(getGithubStatus, () => ({
    active: true,
    settingsURL: null,
    state: 'active' as const,
    accounts: ['acme'],
    sandbox: false,
  }));
  fakeApi.answer(getControlsOverview, () => ({
    period: { from: '2026-10-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' },
    asOf: null,
    trend: [],
    counts: { passing: 0, failing: 0, missing_evidence: 0, not_applicable: 0, not_evaluated: 25 },
    missing: [],
    unrecorded: null,
    running: 0,
  }));
});

const pages: [string, string, () => ReactNode][] = [
  ['/', '/', HomePage],
  ['/repositories', '/repositories', RepositoriesPage],
  ['/integrations/{-$category}', '/integrations', IntegrationsPage],
  ['/evidence', '/evidence', EvidencePage],
];

const today = (time: string) => `${new Date().toISOString().slice(0, 10)}T${time}:00Z`;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const at = today('12:30');
const shown = clock.format(new Date(at));
const reason = 'GitHub answered 500';
const states: [string, RepositoryImport, boolean][] = [
  ['Queued', runningImport({ state: 'queued' }), false],
  [`Queued: next attempt at ${shown}`, runningImport({ state: 'queued', error: reason, waitingUntil: at }), true],
  ['Running: commits 400 of 1,600', runningImport(), false],
  [`Rate limited until ${shown}`, runningImport({ state: 'rate_limited', waitingUntil: at }), false],
  ['Failed', runningImport({ state: 'failed', error: reason }), true],
];

describe.each(pages)('%s', (path, address, Page) => {
  test.each(states)('shows the status of an import: %s', async (words, progress, canRetry) => {
    fakeApi.answer(listRepositories, () => ({ rows: [repository({ import: progress })], total: 1 }));
    let retried: unknown;
    fakeApi.answer(retryImport, ({ params }) => {
      retried = params;
      return runningImport({ state: 'queued' });
    });
    visitPage(path, Page, address);
    await screen.findByText(words);
    if (progress.error !== null) screen.getByText(reason);
    const retry = screen.queryByRole('button', { name: 'Retry the import of acme/api' });
    expect(retry !== null).toBe(canRetry);
    if (!retry) return;
    await userEvent.click(retry);
    await waitFor(() => expect(retried).toEqual({ provider: 'github', repoPath: 'acme/api' }));
  });
});
