import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { loadBanners } from '#domains/organization/organizations/loadBanners.ts';
import { loadPanels } from '#domains/platform/home/loadPanels.ts';
import { account, organizations } from '#lib/account.ts';
import { endpointQuery } from '#lib/api.ts';
import { extensions } from '#lib/presence.ts';
import { currentSession, isOwner } from '#lib/session.ts';
import { queryClient } from './query-client.ts';

/** Requests the data of the shell while the flags are loading. Existing responses are kept. */
export function prefetchShell(): void {
  if (currentSession()?.organization === undefined) return;
  void queryClient.ensureQueryData(account()).catch(failedAlready);
  void queryClient.ensureQueryData(organizations()).catch(failedAlready);
  // Pages appear with the banners of the organization.
  void queryClient.ensureQueryData(endpointQuery(getOrganization, {})).then(loadBanners).catch(failedAlready);
  void queryClient.ensureQueryData(extensions()).catch(failedAlready);
}

/** The same for Home, which is rendered once the remaining setup steps are known, and the file of its panels. */
export function prefetchHome(): void {
  void loadPanels().catch(failedAlready);
  if (!isOwner(currentSession())) return;
  void queryClient.ensureQueryData(endpointQuery(listProviderRepos, {})).catch(failedAlready);
}

// The cache has already reported the error.
const failedAlready = () => undefined;
