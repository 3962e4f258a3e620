import { getCheckmarx, listCheckmarxProjects, listIntegrations } from '@sightline/contract/integrations.ts';
import type { QueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';

/** Asks again for everything that tells of the scanner. */
export const refreshScanner = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all(
    [listIntegrations, getCheckmarx, listCheckmarxProjects].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  );
