import type { Organization } from '@sightline/contract/organization/organizations.ts';

export const loadArchivedBanner = () => import('./ArchivedBanner.tsx');
export const loadDemoBanner = () => import('./DemoBanner.tsx');

/** Loads the banners of an organization before they are rendered. */
export const loadBanners = ({ isDemo, archivedAt }: Organization): Promise<unknown> =>
  Promise.all([isDemo && loadDemoBanner(), archivedAt !== null && loadArchivedBanner()]);
