import type { PageKind } from '@sightline/contract/timeline/identifiers.ts';

export interface ReportedSite {
  /** In lower case, without port. */
  host: string;
  /** The entry of the allowed that covers it. */
  site: string;
  kind: PageKind;
}

/**
 * What may be told of a page: its host and what it shows. Undefined for every page that is not http(s) or not on an
 * allowed site; an entry covers its subdomains. Path and query are looked at here and never leave.
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

/** An entry as people type it (`https://GitHub.com/acme`, `*.acme.dev`) as a host; undefined where it is none. */
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

// As code hosts and trackers of our days build their addresses; anything else is `other`.
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
