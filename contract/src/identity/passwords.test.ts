import { expect, test } from 'vitest';
import { passwordProblem } from './passwords.ts';

test.each([
  ['correct horse battery', undefined],
  ['elevenchars', 'Use at least 12 characters.'],
  ['abcd'.repeat(33), 'Use at most 128 characters.'],
  ['Ada.Lovelace@example.org', 'Do not use your email address.'],
  ['abcabcabcabc', 'Use more than a few different characters.'],
])('reports for the password %s: %s', (password, problem) => {
  expect(passwordProblem(password, 'ada.lovelace@example.org')).toBe(problem);
});
