/** One CSV row for spreadsheets: each cell is quoted, not a formula, and without line breaks. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** The prefix that makes spreadsheets read a file as UTF-8. */
export const byteOrderMark = '\ufeff';

// Spreadsheets interpret text with these first characters as a formula, quoted or not, also in full-width form.
const formula = /^[=+\-@\t\r＝＋－＠]/;

function cellOf(value: string): string {
  // Each entry is exactly one line, so that counting lines counts entries.
  const line = value.replace(/[\r\n]+/g, ' ');
  return `"${(formula.test(line) ? `'${line}` : line).replaceAll('"', '""')}"`;
}
