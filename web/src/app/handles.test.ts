import { expect, test } from 'vitest';
import { handleOf, profilePath } from '#lib/profile.ts';
import { isHandle, takenNames } from './handles.ts';

const taken = takenNames([
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
  expect(handleOf(path.slice(1))).toBe(login);
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
