import { ApiError } from '@sightline/contract/client.ts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { showError } from './errors.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `quiet`: the page shows the failure itself, or nobody needs to see it. */
    queryMeta: { quiet?: boolean };
    mutationMeta: { quiet?: boolean };
  }
}

/** spec 9: stale after 10 s, no retry, no refetch on window focus. A failure nobody draws opens the error dialog. */
export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta, state }) => {
        // The page still shows its last answer, and a strip above it says that the server cannot be reached.
        const outOfReach = error instanceof ApiError && error.status === 0 && state.data !== undefined;
        if (!meta?.quiet && !outOfReach) showError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => meta?.quiet || showError(error),
    }),
    defaultOptions: { queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: false } },
  });

/** The app's one cache. */
export const queryClient = createQueryClient();
