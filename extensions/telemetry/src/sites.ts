import type { PageKind } from '@sightline/contract/timeline/identifiers.ts';

export interface ReportedSite {
  /** Lower case, without port. */
  host: string;
  /** The matching entry of the allowed sites. */
  site: string;
  kind: PageKind;
}

/**
 * Returns host and kind of a page. Undefined for pages that are not http(s) or not on an allowed site. An entry
 * includes its subdomains. Path and query are read only here and never leave the machine.
 */
export function siteOf(url: string, allowed: Iterable<string>): ReportedSite | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname, pathname, searchParams } = new URL(url);
  const host = hostname.replace(/\.$/, '');
  for (const site of allowed) {
    if (covers(site, host)) return { host, site, kind: kindOfPage(pathname, searchParams) };
  }
  return undefined;
}

/** Converts an entered site (`https://GitHub.com/acme`, `*.acme.dev`) to a host; undefined if invalid. */
export function siteEntry(typed: string): string | undefined {
  const text = typed.trim().replace(/^\*\./, '');
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (text === '' || !URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/\.$/, '');
  return /^https?:$/.test(protocol) && /^(?:[a-z0-9_-]+\.)+[a-z0-9-]+$|^localhost$/.test(host) ? host : undefined;
}

/** Match patterns for a manifest or a permission request. */
export const patternsOf = (site: string): string[] =>
  ['https', 'http'].flatMap((scheme) => [`${scheme}://${site}/*`, `${scheme}://*.${site}/*`]);

const covers = (site: string, host: string) => host === site || host.endsWith(`.${site}`);

// Current URL formats of code hosts and issue trackers; anything else is `other`.
const kinds: [PageKind, RegExp][] = [
  ['pull_request', /\/(?:pull|pulls|pull-requests|pullrequest|merge_requests)(?:\/|$)/],
  ['issue', /\/(?:issues?|work_items|_workitems|browse\/[A-Z][A-Z0-9]+-\d+)(?:\/|$)/],
  ['file', /\/(?:blob|tree|blame|raw|edit|src)\//],
  ['search', /\/search(?:\/|$)/],
];

function kindOfPage(pathname: string, query: URLSearchParams): PageKind {
  const [known] = kinds.find(([, pattern]) => pattern.test(pathname)) ?? [];
  return known ?? (pathname === '/' && query.has('q') ? 'search' : 'other');
}
