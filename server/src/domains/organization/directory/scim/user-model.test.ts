import { expect, test } from 'vitest';
import type { PatchOperation } from './patch.ts';
import { addressOf, isSameUser, nameOf, parseUser, patchUser, type ScimUser } from './user-model.ts';

const work = { value: 'grace@x.example', type: 'work', primary: true };
const home = { value: 'grace@home.example', type: 'home' };
const grace: ScimUser = {
  userName: 'grace',
  externalId: 'e1',
  active: true,
  displayName: 'Grace',
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [work, home],
};
type Patch = Pick<PatchOperation, 'op'> & Partial<PatchOperation>;
const patched = (patch: Patch): ScimUser => patchUser(grace, [{ path: undefined, value: undefined, ...patch }]);

test.each<[string, Patch, Partial<ScimUser>]>([
  ['text of a boolean', { op: 'replace', path: 'active', value: 'False' }, { active: false }],
  ['null of an ID', { op: 'replace', path: 'externalId', value: null }, { externalId: undefined }],
  ['null of a name', { op: 'replace', path: 'name', value: null }, { name: undefined }],
  [
    'an object of a name',
    { op: 'add', path: 'name', value: { formatted: 'G. H.' } },
    { name: { ...grace.name, formatted: 'G. H.' } },
  ],
  ['an empty part of a name', { op: 'replace', path: 'name.familyName', value: '' }, { name: { givenName: 'Grace' } }],
  ['an unknown attribute', { op: 'replace', path: 'nickName', value: 'Amazing Grace' }, {}],
  [
    'several attributes without a path',
    { op: 'replace', value: { displayName: 'G', 'name.givenName': 'G' } },
    { displayName: 'G', name: { givenName: 'G', familyName: 'Hopper' } },
  ],
  [
    'all addresses',
    { op: 'replace', path: 'emails', value: 'new@x.example' },
    { emails: [{ value: 'new@x.example' }] },
  ],
  ['no addresses', { op: 'replace', path: 'emails', value: null }, { emails: [] }],
  [
    'a new primary address',
    { op: 'add', path: 'emails', value: [{ value: 'n@x.example', primary: 'true' }] },
    { emails: [{ ...work, primary: false }, home, { value: 'n@x.example', primary: true }] },
  ],
  ['an address that exists', { op: 'add', path: 'emails', value: [home] }, { emails: [work, home] }],
  [
    'the address of a type',
    { op: 'replace', path: 'emails[type eq "home"].value', value: 'g@home.example' },
    { emails: [work, { value: 'g@home.example', type: 'home' }] },
  ],
  [
    'the address of a new type',
    { op: 'add', path: 'emails[type eq "other"].value', value: 'o@x.example' },
    { emails: [work, home, { value: 'o@x.example', type: 'other' }] },
  ],
  [
    'the shown text of an address, which is not stored',
    { op: 'replace', path: 'emails[type eq "home"].display', value: 'Home' },
    {},
  ],
])('sets %s', (_, operation, expected) => {
  expect(patched(operation)).toEqual({ ...grace, ...expected });
});

test.each<[string, Patch, Partial<ScimUser>]>([
  ['an ID', { op: 'remove', path: 'externalId' }, { externalId: undefined }],
  ['a shown name', { op: 'remove', path: 'displayName' }, { displayName: undefined }],
  ['a name', { op: 'remove', path: 'name' }, { name: undefined }],
  ['a part of a name', { op: 'remove', path: 'name.familyName' }, { name: { givenName: 'Grace' } }],
  ['every address', { op: 'remove', path: 'emails' }, { emails: [] }],
  ['given addresses', { op: 'remove', path: 'emails', value: [home] }, { emails: [work] }],
  ['addresses of a type', { op: 'remove', path: 'emails[type eq "home"]' }, { emails: [work] }],
  [
    'the type of an address',
    { op: 'remove', path: 'emails[type eq "home"].type' },
    { emails: [work, { value: home.value }] },
  ],
  ['a part of no address', { op: 'remove', path: 'emails[type eq "fax"].type' }, {}],
  ['an unknown attribute', { op: 'remove', path: 'title' }, {}],
])('removes %s', (_, operation, expected) => {
  expect(patched(operation)).toEqual({ ...grace, ...expected });
});

test.each<[string, Patch]>([
  ['a user name', { op: 'remove', path: 'userName' }],
  ['whether the user is active', { op: 'remove', path: 'active' }],
])('does not remove %s', (_, operation) => {
  expect(() => patched(operation)).toThrow(expect.objectContaining({ status: 400, scimType: 'mutability' }));
});

test.each<[string, Patch]>([
  ['an empty user name', { op: 'replace', path: 'userName', value: ' ' }],
  ['another value of a boolean', { op: 'replace', path: 'active', value: 'perhaps' }],
  ['two primary addresses', { op: 'replace', path: 'emails', value: [work, { ...home, primary: true }] }],
  ['21 addresses', { op: 'replace', path: 'emails', value: Array.from({ length: 21 }, (_, n) => `${n}@x.example`) }],
  ['an unknown part of addresses', { op: 'replace', path: 'emails[type eq "home"].colour', value: 'red' }],
  ['a filter without a match', { op: 'replace', path: 'emails[value co "nobody"].value', value: 'a@x.example' }],
  ['a filter that is not valid', { op: 'replace', path: 'emails[type is "home"].value', value: 'a@x.example' }],
])('rejects %s and keeps the user', (_, operation) => {
  const before = structuredClone(grace);
  expect(() => patched(operation)).toThrow(expect.objectContaining({ status: 400 }));
  expect(grace).toEqual(before);
});

test('chooses the primary address, else that of work, else the first, else a user name that is one', () => {
  expect(addressOf({ ...grace, emails: [home, work] })).toBe(work.value);
  expect(addressOf({ ...grace, emails: [home, { value: 'W@X.example', type: 'work' }] })).toBe('w@x.example');
  expect(addressOf({ ...grace, emails: [home] })).toBe(home.value);
  expect(addressOf({ ...grace, userName: 'grace@x.example', emails: [] })).toBe('grace@x.example');
  expect(addressOf({ ...grace, emails: [] })).toBeUndefined();
});

test('shows the display name, else the formatted one, else its parts, else the user name', () => {
  const { displayName: _, ...rest } = grace;
  expect(nameOf(grace)).toBe('Grace');
  expect(nameOf({ ...rest, name: { formatted: 'Rear Admiral Hopper' } })).toBe('Rear Admiral Hopper');
  expect(nameOf(rest)).toBe('Grace Hopper');
  expect(nameOf({ ...rest, name: undefined })).toBe('grace');
});

test('a user without an attribute is the same as one with an undefined one', () => {
  const user = parseUser({ userName: 'grace', displayName: null, emails: null });
  expect(isSameUser(user, { ...user, externalId: undefined })).toBe(true);
  expect(isSameUser(user, { ...user, externalId: 'e2' })).toBe(false);
});
