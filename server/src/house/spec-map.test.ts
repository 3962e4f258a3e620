import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// docs/spec-map.md names code and tests for what the specification asks for: here they are looked for.

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const isThere = (path: string) => existsSync(new URL(path, root));

interface Row {
  line: number;
  /** What is asked for. */
  asked: string;
  code: string[];
  /** A file and the titles that lead to a test in it: groups or a walk first. */
  tests: { file: string; titles: string[] }[];
}

const sections = '2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 2.12 3 4 5 6 7 8 9'.split(' ');
const testFile = /\.(test\.tsx?|spec\.ts)$/;

const lines = read('docs/spec-map.md').split('\n');
const rows = lines.flatMap((text, index) => (/^\| (?!What it asks for)/.test(text) ? [rowOf(text, index + 1)] : []));

test('every section of the specification has a table with rows', () => {
  const headings = lines.flatMap((text, index) => (text.startsWith('## ') ? [{ text, line: index + 1 }] : []));
  expect(headings.map(({ text }) => text.split(' ')[1])).toEqual(sections);
  const empty = headings.filter(({ line }, place) => {
    const next = headings[place + 1]?.line ?? Number.POSITIVE_INFINITY;
    return !rows.some((row) => row.line > line && row.line < next);
  });
  expect(empty).toEqual([]);
});

test('every row says what is asked for, and names code that is there', () => {
  expect(rows.filter(({ asked, code }) => asked === '' || code.length === 0)).toEqual([]);
  const gone = rows.flatMap(({ line, code }) =>
    code.filter((path) => !isThere(path)).map((path) => `${line}: ${path}`),
  );
  expect(gone).toEqual([]);
});

test('every row names tests, each by a title that stands in its file', () => {
  expect(rows.filter(({ tests }) => tests.length === 0).map(({ line, asked }) => `${line}: ${asked}`)).toEqual([]);
  const faults = rows.flatMap(({ line, tests }) =>
    tests.flatMap(({ file, titles }) => {
      if (!testFile.test(file) || !isThere(file)) return [`${line}: ${file} is no test that is there`];
      if (titles.length === 0) return [`${line}: ${file} without a title`];
      return titles.filter((title) => !holds(read(file), title)).map((title) => `${line}: ${file} has no “${title}”`);
    }),
  );
  expect(faults).toEqual([]);
});

test('a title counts where it stands in quotes behind a bracket, and nowhere else', () => {
  const source = `test('one of them', () => {});\ntest.each([])(\n  "it's %s", () => {});\n// 'a remark'\n`;
  expect(['one of them', "it's %s", 'a remark', 'one of'].map((title) => holds(source, title))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

function rowOf(text: string, line: number): Row {
  const [, asked = '', code = '', tests = ''] = text
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  return {
    line,
    asked,
    code: quoted(code),
    tests: quoted(tests).map((named) => {
      const [file = '', ...titles] = named.split(' › ');
      return { file, titles };
    }),
  };
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);
}

/** Whether a test, a group or a step has this title: a string in quotes right behind an opening bracket. */
const holds = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => {
    const words = `${quote}${title}${quote}`;
    for (let at = source.indexOf(words); at >= 0; at = source.indexOf(words, at + 1))
      if (/\(\s*$/.test(source.slice(Math.max(0, at - 40), at))) return true;
    return false;
  });
