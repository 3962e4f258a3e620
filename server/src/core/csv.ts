/** One line of a file that spreadsheets open: every cell quoted, none of them a formula, none longer than its line. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** What a file begins with so that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\ufeff';

// A spreadsheet takes text that begins so for a formula, quoted or not; its full-width forms too.
const formula = /^[=+\-@\t\r＝＋－＠]/;

function cellOf(value: string): string {
  // One line for each entry: whoever counts lines counts entries.
  const line = value.replace(/[\r\n]+/g, ' ');
  return `"${(formula.test(line) ? `'${line}` : line).replaceAll('"', '""')}"`;
}
