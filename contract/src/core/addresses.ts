// Spec 5: a letter first, then the local part, @, a domain and a TLD of at least two letters. An internationalized
// domain is in its ASCII form, whose last label may begin with xn--.
const pattern = /^[a-z][\w.!#$%&'*+/=?^`{|}~-]*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]+)$/;

/** An address as stored for invitations: lower case, ASCII domain, within RFC 5321. Returns undefined if invalid. */
export function normalizeInvitationAddress(given: string): string | undefined {
  const [name = '', domain = '', ...rest] = given.trim().split('@');
  // `toLowerCase` on the whole name would turn the Kelvin sign into the `k` of another mailbox.
  const local = name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (rest.length > 0 || local.length > 64 || local.endsWith('.') || local.includes('..')) return undefined;
  const host = asciiDomain(domain.toLowerCase());
  if (host === undefined || host.split('.').some((label) => label.length > 63)) return undefined;
  const address = `${local}@${host}`;
  return address.length <= 254 && pattern.test(address) ? address : undefined;
}

// The URL parser is the only IDN conversion in both browsers and Node. It would also accept ports and escapes.
function asciiDomain(domain: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

export interface ParsedAddresses {
  /** Normalized, in input order, without duplicates. */
  valid: string[];
  /** As entered, without duplicates. */
  invalid: string[];
}

/**
 * Parses typed or pasted text: entries separated by whitespace, commas and semicolons, `Name <address>`, or a table
 * with an email column.
 */
export function parseAddresses(text: string): ParsedAddresses {
  return sorted(emailColumn(text) ?? entriesOf(text));
}

/** Returns the addresses of a CSV file: its email column, or every cell with an @ if no header names one. */
export function parseCsvAddresses(text: string): ParsedAddresses {
  const column = emailColumn(text);
  if (column) return sorted(column);
  const cells = cellsOf(text).flat();
  return sorted(cells.flatMap(entriesOf).filter((entry) => entry.includes('@')));
}

function sorted(entries: readonly string[]): ParsedAddresses {
  const valid = new Set<string>();
  const invalid = new Set<string>();
  for (const entry of entries) {
    const address = normalizeInvitationAddress(entry);
    if (address === undefined) invalid.add(entry);
    else valid.add(address);
  }
  return { valid: [...valid], invalid: [...invalid] };
}

const entriesOf = (text: string): string[] =>
  text
    .replace(/"[^"\n]*"/g, ' ')
    .split(/[,;\n]/)
    .flatMap((part) => {
      const named = [...part.matchAll(inBrackets)].map(([, address = '']) => address);
      return named.length > 0 ? named : part.split(/\s+/).filter((word) => word !== '');
    });

// The quantifiers are bounded to limit backtracking.
const inBrackets = /<\s{0,9}(?:mailto:)?([^<>\s]{1,320})\s{0,9}>/gi;

/** Returns the cells below the header of the email column; undefined if the first line has no such header. */
function emailColumn(text: string): string[] | undefined {
  const [head = [], ...rows] = cellsOf(text);
  const column = head.findIndex((cell) => /^e-?mail([ _-]?address)?$/i.test(cell.trim()));
  if (column < 0) return undefined;
  return rows.flatMap((row) => entriesOf(row[column] ?? ''));
}

/** Parses RFC 4180 with commas, semicolons or tabs. */
function cellsOf(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const [first = ''] = plain.split(/\r?\n/, 1);
  const separator = [';', '\t'].find((mark) => first.includes(mark)) ?? ',';
  const rows: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'gy');
  while (cell.lastIndex < plain.length) {
    const found = cell.exec(plain);
    // A quote inside a cell means that the text is not a table.
    if (!found) return [];
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3]?.includes('\n')) rows.push([]);
    else if (found[3] === '') break;
  }
  return rows;
}
