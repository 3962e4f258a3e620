import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { endpointQuery } from '#lib/api.ts';

// Most organizations need none of them.
const ArchivedBanner = lazy(async () => ({ default: (await import('./ArchivedBanner.tsx')).ArchivedBanner }));
const DemoBanner = lazy(async () => ({ default: (await import('./DemoBanner.tsx')).DemoBanner }));

/** The banners on every page of an organization: generated data, and archived. */
export function OrganizationBanners() {
  const { data: organization } = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } });
  if (!organization) return null;
  return (
    <Suspense>
      {organization.isDemo && <DemoBanner organization={organization} />}
      {organization.archivedAt !== null && <ArchivedBanner organization={organization} />}
    </Suspense>
  );
}
