/**
 * Writes CSV (RFC 4180) with a byte order mark for UTF-8. Text that a spreadsheet would evaluate as a formula is
 * prefixed with an apostrophe, since quotes do not prevent it. Numbers are unchanged.
 */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;

const cell = (value: string | number | null): string =>
  value === null ? '' : typeof value === 'number' ? String(value) : `"${escapeFormula(value).replaceAll('"', '""')}"`;

// Leading apostrophes match too, so that `unguarded` can restore text that already began with one.
const formula = /^'*[=+\-@\t\r\n|%＝＋－＠]/;

export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** Restores the original text of a cell. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
