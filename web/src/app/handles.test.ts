import { expect, test } from 'vitest';
import { loginOfHandle, profilePath } from '#lib/profile.ts';
import { isHandle, reservedHandles } from './handles.ts';

const taken = reservedHandles([
  '/',
  '/explore',
  '/repository/$provider/$owner/$',
  '/docs/$page',
  '/$handle',
  '/_/integrations/github',
]);

test.each([
  ['ada', '/ada'],
  ['Explore', '/@Explore'],
  ['repository', '/@repository'],
  ['terms', '/@terms'],
  ['docs', '/@docs'],
  ['explorer', '/explorer'],
])('places the profile of %s at %s, and prefers the name of a page over a login', (login, path) => {
  expect(profilePath(login, taken)).toBe(path);
  expect(loginOfHandle(path.slice(1))).toBe(login);
});

test.each([
  ['ada', true],
  ['@ada', true],
  ['Ada-Byron-1', true],
  ['a'.repeat(39), true],
  ['a'.repeat(40), false],
  ['-ada', false],
  ['ada--byron', false],
  ['favicon.ico', false],
  ['_', false],
  ['', false],
])('accepts %s as a login: %s', (segment, may) => {
  expect(isHandle(segment)).toBe(may);
});
