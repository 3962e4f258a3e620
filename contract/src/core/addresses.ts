// spec 5: letter start, local part, @, domain, a TLD of at least two letters. A domain of another script stands in
// its ASCII form, whose last part may then begin with xn--.
const pattern = /^[a-z][\w.!#$%&'*+/=?^`{|}~-]*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]+)$/;

/** An address as invitations keep it: lower case, domain in ASCII, within RFC 5321; undefined if it is none. */
export function invitableAddress(given: string): string | undefined {
  const [name = '', domain = '', ...rest] = given.trim().split('@');
  // Lowered first, the Kelvin sign would become the `k` of another mailbox.
  const local = name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (rest.length > 0 || local.length > 64 || local.endsWith('.') || local.includes('..')) return undefined;
  const host = asciiDomain(domain.toLowerCase());
  if (host === undefined || host.split('.').some((label) => label.length > 63)) return undefined;
  const address = `${local}@${host}`;
  return address.length <= 254 && pattern.test(address) ? address : undefined;
}

// The URL parser is the one IDN conversion that browsers and Node share; it would also read ports and escapes.
function asciiDomain(domain: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

export interface Addresses {
  /** Normal form, in the order given, each once. */
  valid: string[];
  /** As given, each once. */
  invalid: string[];
}

/**
 * Takes typed or pasted text apart: entries between whitespace, commas and semicolons, `Name <address>`, or a table
 * with a column whose head says e-mail.
 */
export function addressesIn(text: string): Addresses {
  return sorted(emailColumn(text) ?? entriesOf(text));
}

/** The addresses of a CSV file: its e-mail column, or without such a head every cell that holds an @. */
export function addressesInCsv(text: string): Addresses {
  const column = emailColumn(text);
  if (column) return sorted(column);
  const cells = cellsOf(text).flat();
  return sorted(cells.flatMap(entriesOf).filter((entry) => entry.includes('@')));
}

function sorted(entries: readonly string[]): Addresses {
  const valid = new Set<string>();
  const invalid = new Set<string>();
  for (const entry of entries) {
    const address = invitableAddress(entry);
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

// Bounded, so that no text makes it search for long.
const inBrackets = /<\s{0,9}(?:mailto:)?([^<>\s]{1,320})\s{0,9}>/gi;

/** The cells below a head that says e-mail; undefined where the first line has none. */
function emailColumn(text: string): string[] | undefined {
  const [head = [], ...rows] = cellsOf(text);
  const column = head.findIndex((cell) => /^e-?mail([ _-]?address)?$/i.test(cell.trim()));
  if (column < 0) return undefined;
  return rows.flatMap((row) => entriesOf(row[column] ?? ''));
}

/** RFC 4180, with commas, semicolons or tabs. */
function cellsOf(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const [first = ''] = plain.split(/\r?\n/, 1);
  const separator = [';', '\t'].find((mark) => first.includes(mark)) ?? ',';
  const rows: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'gy');
  while (cell.lastIndex < plain.length) {
    const found = cell.exec(plain);
    // A quote in the middle of a cell: the text is no table.
    if (!found) return [];
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3]?.includes('\n')) rows.push([]);
    else if (found[3] === '') break;
  }
  return rows;
}
