import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../scripts/properties.ts';
import { isChange } from '../core/endpoint.ts';
import { initiateGithubInstall } from '../sources/github.ts';
import { queryEvents } from '../timeline/events.ts';
import {
  archiveOrganization,
  getOrganization,
  leaveRefusalReason,
  listOrganizations,
  organizationName,
  organizationNameError,
  organizationNameMax,
  organizationNameMessage,
  organizationNameMessageInModal,
  soleOwnerMessage,
} from './organizations.ts';

const tooLong = 'The name may have at most 64 characters.';

test('uses the two messages of the specification', () => {
  expect(organizationNameMessage).toBe(
    'Unfortunately, the organization name might contain only [A-z] characters and !@#$.',
  );
  expect(organizationNameMessageInModal).toBe(
    'Unfortunately, the organization name might contain only [A-z] characters and !@#$-.',
  );
});

test.each([
  ['Acme', undefined],
  ['Acme 2 - the best! @#$', undefined],
  [' Acme', undefined],
  ['Acme ', undefined],
  ['', undefined],
  ['   ', undefined],
  ['a'.repeat(64), undefined],
  ['a'.repeat(65), tooLong],
  ['Acme, Inc.', organizationNameMessage],
  ['Acme_2', organizationNameMessage],
  ['[Acme]', organizationNameMessage],
  ['Acmé', organizationNameMessage],
  ['Ac\nme', organizationNameMessage],
  ['Ac\tme', organizationNameMessage],
  ['Acme\u00a0Inc', organizationNameMessage],
  ['<b>', organizationNameMessage],
])('shows for %j while typing %j', (name, message) => {
  expect(organizationNameError(name)).toBe(message);
});

test('uses own words in the dialog', () => {
  expect(organizationNameError('Acme_2', organizationNameMessageInModal)).toBe(organizationNameMessageInModal);
});

test('trims both ends on the server and rejects an empty name', () => {
  expect(organizationName.parse('  Acme  ')).toBe('Acme');
  expect(organizationName.safeParse('   ').success).toBe(false);
});

test('agrees on every name between field and server', () => {
  const name = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.stringMatching(/^[A-Za-z0-9 !\-@#$]{0,70}$/),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(name, (value) => {
      const blank = value.trim() === '';
      expect(organizationName.safeParse(value).success).toBe(!blank && organizationNameError(value) === undefined);
      const parsed = organizationName.safeParse(value).data ?? 'a';
      expect(parsed).toMatch(/^[A-Za-z0-9!\-@#$]([A-Za-z0-9 !\-@#$]*[A-Za-z0-9!\-@#$])?$/);
      expect(parsed.length).toBeLessThanOrEqual(organizationNameMax);
    }),
  );
});

test.each([
  [{ id: 'a', owners: ['me', 'you'] }, 'a', undefined],
  [{ id: 'a', owners: ['you'] }, 'a', undefined],
  [{ id: 'a', owners: ['me'] }, 'a', soleOwnerMessage],
  [{ id: 'a', owners: ['me', 'you'] }, 'b', 'Switch to this organization first, then leave it.'],
  [{ id: 'a', owners: ['me'] }, undefined, 'Switch to this organization first, then leave it.'],
])('shows after %j was changed from %j: %j', (organization, organizationId, problem) => {
  expect(leaveRefusalReason(organization, { accountId: 'me', organizationId })).toBe(problem);
});

test('treats every call as a change unless it is a query with a read permission', () => {
  expect([getOrganization, queryEvents, listOrganizations].map(isChange)).toEqual([false, false, false]);
  expect([archiveOrganization, initiateGithubInstall].map(isChange)).toEqual([true, true]);
});
