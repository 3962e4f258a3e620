import { expect, test } from 'vitest';
import { cellsOf, faultsOf, isThere, quoted, read, testsIn } from './named-tests.ts';

// docs/evidence-checks.md names the tests of each of the sixteen checks. This test looks them up.

const rows = read('docs/evidence-checks.md')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map(cellsOf);

test('states the requirement of each of the sixteen checks', () => {
  expect(rows.map(([number]) => Number(number))).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
  expect(rows.filter(([, holds = '']) => holds.length < 40)).toEqual([]);
});

test('refers for each check to existing test titles and programs', () => {
  const faults = rows.flatMap(([number, , shows = '', programs = '']) => {
    const missing = quoted(programs).filter((path) => !isThere(path));
    const none = quoted(shows).length + quoted(programs).length === 0 ? ['nothing shows it'] : [];
    return [...testsIn(shows).flatMap(faultsOf), ...missing.map((path) => `${path} is not there`), ...none].map(
      (fault) => `${number}: ${fault}`,
    );
  });
  expect(faults).toEqual([]);
});
