/** The search of an address: strings only, so that `?search=123` stays what was typed. */
export type Search = Record<string, string>;

export const parseSearch = (search: string): Search => Object.fromEntries(new URLSearchParams(search));

/** Commas and colons stay readable, as in lists and queries; undefined and empty values are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search)
    .map(([name, value]): [string, string] => [name, value === undefined || value === null ? '' : String(value)])
    .filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`.replaceAll('%2C', ',').replaceAll('%3A', ':');
}
