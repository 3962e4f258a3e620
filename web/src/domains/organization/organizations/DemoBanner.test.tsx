import { removeDemo } from '@sightline/contract/organization/demo.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { OrganizationBanners } from './OrganizationBanners.tsx';

const user = userEvent.setup();

test('labels demo data, and lets an owner remove it after a confirmation', async () => {
  signIn('rol_owner');
  fakeApi.answer(getOrganization, () => organization({ isDemo: true }));
  fakeApi.refuse(removeDemo, 409, 'conflict', 'This is no demo organization.');
  visitPage('/', () => <OrganizationBanners />, '/');
  await screen.findByText('Demo data.');
  await user.click(screen.getByRole('button', { name: 'Remove demo data' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove demo data?' });
  const [confirm] = [...dialog.querySelectorAll('button')].filter((one) => one.textContent === 'Remove demo data');
  if (confirm) await user.click(confirm);
  await screen.findByText('This is no demo organization.');
});

test('offers the removal to owners only', async () => {
  signIn('rol_auditor');
  fakeApi.answer(getOrganization, () => organization({ isDemo: true, role: 'rol_auditor' }));
  visitPage('/', () => <OrganizationBanners />, '/');
  await screen.findByText('Demo data.');
  expect(screen.queryByRole('button', { name: 'Remove demo data' })).toBeNull();
});

test('labels an archived organization as archived, not as demo data', async () => {
  signIn('rol_owner');
  fakeApi.answer(getOrganization, () => organization({ archivedAt: '2026-11-01T00:00:00.000Z' }));
  visitPage('/', () => <OrganizationBanners />, '/');
  await screen.findByText('This organization is archived');
  expect(screen.queryByText('Demo data.')).toBeNull();
});
