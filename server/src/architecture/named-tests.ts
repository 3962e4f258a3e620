import { existsSync, readFileSync } from 'node:fs';

// Pages of docs/ name code and tests that guarantee a property. These functions look the names up.

const root = new URL('../../../', import.meta.url);
export const readRepositoryFile = (path: string): string => readFileSync(new URL(path, root), 'utf8');
export const fileExists = (path: string): boolean => existsSync(new URL(path, root));

/** A file and the path of titles to a test in it, groups first. */
export interface NamedTest {
  file: string;
  titles: string[];
}

const testFile = /\.(test\.tsx?|spec\.ts)$/;

/** Returns the cells of a Markdown table row. */
export const tableCellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** Returns the texts between backticks in a cell. */
export const backtickTexts = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);

export const namedTestsOf = (cell: string): NamedTest[] =>
  backtickTexts(cell).map((named) => {
    const [file = '', ...titles] = named.split(' › ');
    return { file, titles };
  });

/** Returns the problems of a test reference: the file does not exist, or has no such title. */
export function problemsOfNamedTest({ file, titles }: NamedTest): string[] {
  if (!testFile.test(file) || !fileExists(file)) return [`${file} is no test that is there`];
  if (titles.length === 0) return [`${file} without a title`];
  return titles
    .filter((title) => !containsTestTitle(readRepositoryFile(file), title))
    .map((title) => `${file} has no “${title}”`);
}

/** Whether a test, a group or a step has this title: a quoted string after an opening parenthesis. */
export const containsTestTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => {
    const words = `${quote}${title}${quote}`;
    for (let at = source.indexOf(words); at >= 0; at = source.indexOf(words, at + 1))
      if (/\(\s*$/.test(source.slice(Math.max(0, at - 40), at))) return true;
    return false;
  });
