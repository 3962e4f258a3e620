import { expect, test } from 'vitest';
import {
  backtickTexts,
  containsTestTitle,
  fileExists,
  type NamedTest,
  namedTestsOf,
  problemsOfNamedTest,
  readRepositoryFile,
  tableCellsOf,
} from './named-tests.ts';

// docs/spec-map.md names code and tests for the requirements of the specification. This test looks them up.

interface MapRow {
  line: number;
  /** The requirement. */
  need: string;
  code: string[];
  tests: NamedTest[];
}

const sections = '2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 2.12 3 4 5 6 7 8 9'.split(' ');

const lines = readRepositoryFile('docs/spec-map.md').split('\n');
const rows = lines.flatMap((text, index) => (/^\| (?!Requirement \|)/.test(text) ? [rowOf(text, index + 1)] : []));

test('contains a table with rows for every section of the specification', () => {
  const headings = lines.flatMap((text, index) => (text.startsWith('## ') ? [{ text, line: index + 1 }] : []));
  expect(headings.map(({ text }) => text.split(' ')[1])).toEqual(sections);
  const empty = headings.filter(({ line }, index) => {
    const next = headings[index + 1]?.line ?? Number.POSITIVE_INFINITY;
    return !rows.some((row) => row.line > line && row.line < next);
  });
  expect(empty).toEqual([]);
});

test('states the requirement and existing code in every row', () => {
  expect(rows.filter(({ need, code }) => need === '' || code.length === 0)).toEqual([]);
  const missing = rows.flatMap(({ line, code }) =>
    code.filter((path) => !fileExists(path)).map((path) => `${line}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('refers to existing test titles in every row', () => {
  expect(rows.filter(({ tests }) => tests.length === 0).map(({ line, need }) => `${line}: ${need}`)).toEqual([]);
  const faults = rows.flatMap(({ line, tests }) =>
    tests.flatMap(problemsOfNamedTest).map((fault) => `${line}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('recognizes a title only in quotes after a parenthesis', () => {
  const source = `test('one of them', () => {});\ntest.each([])(\n  "it's %s", () => {});\n// 'a remark'\n`;
  expect(['one of them', "it's %s", 'a remark', 'one of'].map((title) => containsTestTitle(source, title))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

function rowOf(text: string, line: number): MapRow {
  const [need = '', code = '', tests = ''] = tableCellsOf(text);
  return { line, need, code: backtickTexts(code), tests: namedTestsOf(tests) };
}
