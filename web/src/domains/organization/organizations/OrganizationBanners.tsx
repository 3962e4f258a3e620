import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { endpointQuery } from '#lib/api.ts';

// Most organizations need none of them.
const ArchivedBanner = lazy(async () => ({ default: (await import('./ArchivedBanner.tsx')).ArchivedBanner }));
const DemoBanner = lazy(async () => ({ default: (await import('./DemoBanner.tsx')).DemoBanner }));

/**
 * The banners on every page of an organization: generated data, and archived. `onReady` is called once they are shown, or
 * known to be unnecessary or unavailable, so that a page that appears then does not move.
 */
export function OrganizationBanners({ onReady }: { onReady?: () => void }) {
  const { data: organization, failureCount } = useQuery({
    ...endpointQuery(getOrganization, {}),
    meta: { quiet: true },
  });
  if (!organization) return failureCount > 0 ? <Ready onReady={onReady} /> : null;
  return (
    <Suspense>
      {organization.isDemo && <DemoBanner organization={organization} />}
      {organization.archivedAt !== null && <ArchivedBanner organization={organization} />}
      <Ready onReady={onReady} />
    </Suspense>
  );
}

/** Reports that it is shown, and so its siblings, which were loaded before. */
function Ready({ onReady }: { onReady: (() => void) | undefined }) {
  useEffect(() => onReady?.(), [onReady]);
  return null;
}
