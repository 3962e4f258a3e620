import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { createDemo, type DemoProgress, getDemo } from '@sightline/contract/organization/demo.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { account } from '#testing/people.fixture.ts';
import { signIn, visitApp } from '#testing/visitPage.tsx';

const user = userEvent.setup();

const progress = (change: Partial<DemoProgress> = {}): DemoProgress => ({
  state: 'creating',
  done: 5,
  total: 19,
  step: 'Import repositories',
  problem: null,
  organizationId: null,
  ...change,
});

beforeEach(() => {
  signIn();
  fakeApi.answer(getAccount, () => account());
  fakeApi.answer(listOrganizations, () => []);
});

test('creates the demo from the first page of the setup and shows its progress', async () => {
  let created: DemoProgress | null = null;
  fakeApi.answer(getDemo, () => ({ isOffered: true, progress: created }));
  fakeApi.answer(createDemo, () => {
    created = progress();
    return { isOffered: true, progress: created };
  });
  visitApp('/onboarding/setup/1');
  await user.click(await screen.findByRole('button', { name: 'Try with demo data' }));
  await screen.findByText('Import repositories');
  expect(screen.getByRole('progressbar', { name: 'Creating the demo' }).getAttribute('aria-valuenow')).toBe('5');
});

test('shows why a demo failed, and offers it again', async () => {
  fakeApi.answer(getDemo, () => ({
    isOffered: true,
    progress: progress({ state: 'failed', problem: 'No space left.' }),
  }));
  visitApp('/onboarding/setup/1');
  await screen.findByText('The demo failed. No space left.');
  screen.getByRole('button', { name: 'Try with demo data' });
});

test('offers no demo without a sandbox', async () => {
  let asked = 0;
  fakeApi.answer(getDemo, () => {
    asked += 1;
    return { isOffered: false, progress: null };
  });
  visitApp('/onboarding/setup/1');
  await screen.findByLabelText('Organization name');
  await waitFor(() => expect(asked).toBe(1));
  expect(screen.queryByRole('button', { name: 'Try with demo data' })).toBeNull();
});
