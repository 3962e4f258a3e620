import type { Organization } from '@sightline/contract/organizations.ts';
import { expect, test } from 'vitest';
import { whatNext } from './ChooserPage.tsx';

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
  invitation: invited
    ? { invitation_id: `i-${id}`, ticket_id: `t-${id}`, invitedBy: null, expiresAt: '2026-12-01T00:00:00Z' }
    : null,
});

test('one organization is entered at once, also beside an invitation', () => {
  expect(whatNext([organization('a')], undefined)).toEqual({ kind: 'enter', id: 'a' });
  expect(whatNext([organization('a'), organization('b', true)], true)).toEqual({ kind: 'enter', id: 'a' });
});

test('none leads to onboarding for whoever may create one, and only once that is known', () => {
  expect(whatNext([], undefined)).toBeUndefined();
  expect(whatNext([], true)).toEqual({ kind: 'onboarding' });
  expect(whatNext([], false)).toMatchObject({ kind: 'choose', joined: [], invitations: [] });
});

test('several, or an open invitation, are shown', () => {
  expect(whatNext([organization('a'), organization('b')], true)).toMatchObject({ kind: 'choose' });
  expect(whatNext([organization('a', true)], true)).toMatchObject({ kind: 'choose', joined: [] });
});
