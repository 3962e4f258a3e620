import { developerSites } from '@sightline/contract/tools/sites.ts';

const known = new Map(developerSites.map((site) => [site.host, site]));

/** The display name of a host; an unlisted host is its own name. */
export const siteDisplayName = (host: string): { name: string; group: string } =>
  known.get(host) ?? { name: host, group: 'Others' };
