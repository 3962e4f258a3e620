// @vitest-environment happy-dom
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import {
  checkMayCreateOrganization,
  listOrganizations,
  type Organization,
} from '@sightline/contract/organization/organizations.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { account } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ChooserPage, nextStepOf } from './ChooserPage.tsx';

const organization = (id: string, invited = false): Organization => ({
  id,
  name: id,
  displayName: id,
  description: '',
  logoUrl: null,
  role: 'rol_owner',
  owners: [],
  ownerEmails: [],
  archivedAt: null,
  restorableUntil: null,
  movedTo: null,
  isDemo: false,
  invitation: invited
    ? { invitation_id: `i-${id}`, ticket_id: `t-${id}`, invitedBy: null, expiresAt: '2026-12-01T00:00:00Z' }
    : null,
});

test('opens a single organization immediately, also beside an invitation', () => {
  expect(nextStepOf([organization('a')], undefined)).toEqual({ kind: 'enter', id: 'a' });
  expect(nextStepOf([organization('a'), organization('b', true)], true)).toEqual({ kind: 'enter', id: 'a' });
});

test('does not enter an organization that moved to another installation', () => {
  const moved = { ...organization('a'), movedTo: 'https://two.sightline.example' };
  expect(nextStepOf([moved], true)).toEqual({ kind: 'choose', joined: [moved], invitations: [] });
});

test('without organizations, redirects to onboarding if creation is permitted', () => {
  expect(nextStepOf([], undefined)).toBeUndefined();
  expect(nextStepOf([], true)).toEqual({ kind: 'onboarding' });
  expect(nextStepOf([], false)).toMatchObject({ kind: 'choose', joined: [], invitations: [] });
});

test('lists several organizations and open invitations', () => {
  expect(nextStepOf([organization('a'), organization('b')], true)).toMatchObject({ kind: 'choose' });
  expect(nextStepOf([organization('a', true)], true)).toMatchObject({ kind: 'choose', joined: [] });
});

function open(all: Organization[]): void {
  signIn('rol_owner');
  fakeApi.answer(getAccount, () => account());
  fakeApi.answer(listOrganizations, () => all);
  fakeApi.refuse(checkMayCreateOrganization, 403, 'forbidden', 'Confirm your address first.');
  visitPage('/', ChooserPage, '/');
}

test('shows a person without organizations that no invitation is pending', async () => {
  open([]);
  expect(await screen.findByRole('heading', { name: 'Welcome' })).toBeDefined();
  expect(
    screen.getByText(
      'You are not a member of any organization yet. Please wait for an invitation, or contact support.',
    ),
  ).toBeDefined();
  expect(screen.getByText('No pending invitations')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Create New Organization' })).toBeNull();
});

test('accepts and declines an invitation', async () => {
  open([organization('Acme', true)]);
  expect(await screen.findByText(/^Account Owner/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Accept invitation to Acme' }).getAttribute('href')).toBe(
    '/invitation?invitation=t-Acme&organization=Acme',
  );
  expect(screen.getByRole('button', { name: 'Decline invitation to Acme' })).toBeDefined();
  expect(screen.queryByText('No pending invitations')).toBeNull();
});
