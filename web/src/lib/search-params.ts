/** The query of a URL, for the router and for links with filters: strings only, so that `?search=123` remains text. */
export type Search = Record<string, string>;

export const parseSearch = (search: string): Search => Object.fromEntries(new URLSearchParams(search));

/** Leaves commas and colons readable, as in lists and queries. Omits undefined and empty values. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search)
    .map(([name, value]): [string, string] => [name, value === undefined || value === null ? '' : String(value)])
    .filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`.replaceAll('%2C', ',').replaceAll('%3A', ':');
}
