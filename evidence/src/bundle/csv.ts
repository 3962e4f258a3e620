/**
 * A table for people as RFC 4180 writes it, with a mark that tells programs it is UTF-8. Text that a spreadsheet would take for a formula
 * gets an apostrophe in front: quotes alone do not stop it. Numbers are not touched.
 */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;

const cell = (value: string | number | null): string =>
  value === null ? '' : typeof value === 'number' ? String(value) : `"${guarded(value).replaceAll('"', '""')}"`;

// Apostrophes in front count too, so that what was guarded can be told from what began with one.
const formula = /^'*[=+\-@\t\r\n|%＝＋－＠]/;

export const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** What the text was before it was guarded. */
export const unguarded = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);
