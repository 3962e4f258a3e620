import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { ArchivedBanner } from './ArchivedBanner.tsx';
import { DemoBanner } from './DemoBanner.tsx';

/** The banners on every page of an organization: generated data, and archived. */
export function OrganizationBanners() {
  const { data: organization } = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } });
  if (!organization) return null;
  return (
    <>
      {organization.isDemo && <DemoBanner organization={organization} />}
      {organization.archivedAt !== null && <ArchivedBanner organization={organization} />}
    </>
  );
}
