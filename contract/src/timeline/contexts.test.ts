import { expect, test } from 'vitest';
import { contextFilter, predicates } from './contexts.ts';

const filter = (over: object) =>
  contextFilter.safeParse({
    within: 'repository',
    field: 'fullName',
    predicate: 'is',
    arguments: ['acme/api'],
    ...over,
  });
const wrongField = (over: object) => filter(over).error?.issues.map((issue) => issue.path.join('.'));

// Spec 5: more than one argument for a predicate other than 'in' is an error.
test.each(predicates)('accepts %s with one argument', (predicate) => {
  expect(filter({ predicate }).success).toBe(true);
});
test.each(predicates)('rejects %s with two arguments', (predicate) => {
  const wrong = wrongField({ predicate, arguments: ['acme/api', 'acme/web'] });
  expect(wrong).toEqual(['in', 'not-in'].includes(predicate) ? undefined : ['arguments']);
});
test.each(predicates)('rejects %s without an argument', (predicate) => {
  expect(wrongField({ predicate, arguments: [] })).toContain('arguments');
});

test.each([
  ['a field of another object', { field: 'login' }, ['field']],
  ['a field named like an Object.prototype property', { field: 'constructor' }, ['field']],
  ['an unknown object', { within: 'planet' }, ['within']],
  ['an object named like an Object.prototype property', { within: '__proto__' }, ['within']],
  ['an unknown predicate', { predicate: 'like' }, ['predicate']],
  ['an empty argument', { arguments: [''] }, ['arguments.0']],
  ['a number', { arguments: [42] }, ['arguments.0']],
  ['NUL', { arguments: ['a\0'] }, ['arguments.0']],
  ['more than 50 arguments', { predicate: 'in', arguments: Array.from({ length: 51 }, String) }, ['arguments']],
])('rejects %s', (_case, over, fields) => {
  expect(wrongField(over)).toEqual(fields);
});

test('rejects an unknown key', () => {
  expect(filter({ sql: '1=1' }).success).toBe(false);
});
