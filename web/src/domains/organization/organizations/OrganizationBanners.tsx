import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useLoaded } from '#ui/useLoaded.ts';
import { loadArchivedBanner, loadDemoBanner } from './loadBanners.ts';

/**
 * The banners on every page of an organization: generated data, and archived. `onReady` is called once they are shown, or
 * known to be unnecessary or unavailable, so that a page that appears then does not move.
 */
export function OrganizationBanners({ onReady }: { onReady?: () => void }) {
  const { data: organization, failureCount } = useQuery({
    ...endpointQuery(getOrganization, {}),
    meta: { quiet: true },
  });
  const isArchived = organization !== undefined && organization.archivedAt !== null;
  const archived = useLoaded(isArchived ? loadArchivedBanner : undefined);
  const demo = useLoaded(organization?.isDemo ? loadDemoBanner : undefined);
  if (!organization) return failureCount > 0 ? <Ready onReady={onReady} /> : null;
  if ((isArchived && !archived) || (organization.isDemo && !demo)) return null;
  return (
    <>
      {demo && <demo.DemoBanner organization={organization} />}
      {archived && <archived.ArchivedBanner organization={organization} />}
      <Ready onReady={onReady} />
    </>
  );
}

/** Reports that it is shown, and so its siblings, which were loaded before. */
function Ready({ onReady }: { onReady: (() => void) | undefined }) {
  useEffect(() => onReady?.(), [onReady]);
  return null;
}
