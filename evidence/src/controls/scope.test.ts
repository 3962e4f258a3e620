import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInScope, matchesPattern } from './scope.ts';

describe('A branch is in scope', () => {
  test.each([
    ['the default branch, with any name', { branch: 'trunk', isDefaultBranch: true }, [], true],
    ['a branch that matches a pattern', { branch: 'release/9', isDefaultBranch: false }, ['hotfix', 'release/*'], true],
    ['not another branch', { branch: 'try', isDefaultBranch: false }, ['release/*'], false],
  ])('%s', (_name, row, patterns, isIn) => {
    expect(isInScope(row, patterns)).toBe(isIn);
  });
});

describe('A pattern', () => {
  test.each([
    ['main', 'main', true],
    ['main', 'maintenance', false],
    ['main', 'Main', false],
    ['release/*', 'release/9', true],
    ['release/*', 'release/', true],
    ['release/*', 'release/9/fix', false],
    ['release/**', 'release/9/fix', true],
    ['**', 'a/b', true],
    ['*', 'a/b', false],
    ['*-lts', '9-lts', true],
    ['v?.x', 'v1.x', false],
    ['v1.x', 'v11x', false],
    ['a*b*c', 'a-b-b-c', true],
    ['', '', true],
    ['', 'a', false],
    ['***', 'a/b', true],
  ])('%s and %s', (pattern, name, isMatch) => {
    expect(matchesPattern(pattern, name)).toBe(isMatch);
  });

  test('matches what an equivalent expression matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.', 'é', '🦊'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        const escaped = pattern.replaceAll('.', '\\.');
        const expression = escaped.replace(/\*\*|\*/g, (star) => (star === '*' ? '[^/]*' : '.*'));
        expect(matchesPattern(pattern, name)).toBe(new RegExp(`^${expression}$`, 'su').test(name));
      }),
    );
  });

  test('is fast for adversarial input', () => {
    expect(matchesPattern(`${'*a'.repeat(100)}b`, 'a'.repeat(250))).toBe(false);
  });
});
