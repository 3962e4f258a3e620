import { expect, test } from 'vitest';
import { createUsers, userOf } from './users.ts';

test.each([
  ['Ada', 'ada.lovelace@example.org', 'ada-lovelace'],
  ['Zoë Å', 'info@example.org', 'zoe-a'],
  ['Zed', '4711+Zed-9@users.noreply.github.com', 'Zed-9'],
  ['Old', 'older@users.noreply.github.com', 'older'],
  ['dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com', 'dependabot[bot]'],
  ['GitHub', 'noreply@github.com', 'web-flow'],
  ['王芳', 'mail@example.org', 'user'],
])('assigns %s <%s> the login %s', (name, email, login) => {
  expect(userOf(createUsers(), { name, email })?.login).toBe(login);
});

test('treats one address in any case as one person, and adds a suffix to a second one with the same name', () => {
  const users = createUsers(['acme']);
  const ada = userOf(users, { name: 'Ada', email: 'ada@example.org' });
  expect(userOf(users, { name: 'Somebody', email: 'ADA@example.org' })).toBe(ada);
  expect(userOf(users, { name: 'Ada', email: 'ada@example.com' })?.login).toBe('ada-2');
  expect(userOf(users, { name: 'Acme', email: 'acme@example.com' })?.login).toBe('acme-2');
  expect(userOf(users, { name: 'Nobody', email: 'nowhere' })).toBeUndefined();
});

test('treats two noreply addresses of one login as one person with their ID', () => {
  const users = createUsers();
  const one = userOf(users, { name: 'Zed', email: '4711+zed@users.noreply.github.com' });
  expect(userOf(users, { name: 'Zed', email: 'zed@users.noreply.github.com' })).toBe(one);
  expect(one?.id).toBe(4711);
});
