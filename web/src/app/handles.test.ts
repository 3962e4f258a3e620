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
])('the profile of %s is at %s: the name of a page wins over a login', (login, path) => {
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
])('%s can be a login: %s', (segment, may) => {
  expect(isHandle(segment)).toBe(may);
});
