import { expect, test } from 'vitest';
import {
  backtickTexts,
  fileExists,
  namedTestsOf,
  problemsOfNamedTest,
  readRepositoryFile,
  tableCellsOf,
} from './named-tests.ts';

// docs/evidence-checks.md names the tests of each of the nineteen checks. This test looks them up.

const rows = readRepositoryFile('docs/evidence-checks.md')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map(tableCellsOf);

test('states the requirement of each of the nineteen checks', () => {
  expect(rows.map(([number]) => Number(number))).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
  expect(rows.filter(([, holds = '']) => holds.length < 40)).toEqual([]);
});

test('refers for each check to existing test titles and programs', () => {
  const faults = rows.flatMap(([number, , shows = '', programs = '']) => {
    const missing = backtickTexts(programs).filter((path) => !fileExists(path));
    const none = backtickTexts(shows).length + backtickTexts(programs).length === 0 ? ['nothing shows it'] : [];
    return [
      ...namedTestsOf(shows).flatMap(problemsOfNamedTest),
      ...missing.map((path) => `${path} is not there`),
      ...none,
    ].map((fault) => `${number}: ${fault}`);
  });
  expect(faults).toEqual([]);
});
