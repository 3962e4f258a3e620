import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  organizationName,
  organizationNameError,
  organizationNameMax,
  organizationNameMessage,
  organizationNameMessageInModal,
} from './organizations.ts';

const tooLong = 'The name may have at most 64 characters.';

test('the two messages are those of the specification', () => {
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
])('while %j is typed the field says %j', (name, message) => {
  expect(organizationNameError(name)).toBe(message);
});

test('the modal says it in its own words', () => {
  expect(organizationNameError('Acme_2', organizationNameMessageInModal)).toBe(organizationNameMessageInModal);
});

test('the server trims both ends and refuses an empty name', () => {
  expect(organizationName.parse('  Acme  ')).toBe('Acme');
  expect(organizationName.safeParse('   ').success).toBe(false);
});

test('the field and the server agree on every name', () => {
  const name = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.stringMatching(/^[A-Za-z0-9 !\-@#$]{0,70}$/),
    fc.string({ unit: 'binary' }),
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
