import { developerSites } from '@sightline/contract/tools/sites.ts';

const known = new Map(developerSites.map((site) => [site.host, site]));

/** How a person knows this host; one of nobody's list goes by itself. */
export const siteNamed = (host: string): { name: string; group: string } =>
  known.get(host) ?? { name: host, group: 'Others' };
