import { getGithubStatus, listGithubInstallations } from '@sightline/contract/sources/github.ts';
import { getHostConnection, listHostWorkspaces } from '@sightline/contract/sources/host-connections.ts';
import { getCheckmarx, listCheckmarxProjects, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import type { QueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';

/** Refetches all queries about the scanner. */
export const refreshScanner = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all(
    [listIntegrations, getCheckmarx, listCheckmarxProjects].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  );

/** Refetches all queries about a code host after a connection or a change of its scopes. */
export const refreshHost = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all(
    [
      listIntegrations,
      getGithubStatus,
      listGithubInstallations,
      getHostConnection,
      listHostWorkspaces,
      listProviderRepos,
    ].map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })),
  );
