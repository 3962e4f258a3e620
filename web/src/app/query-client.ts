import { ApiError } from '@sightline/contract/core/client.ts';
import { MutationCache, QueryCache } from '@tanstack/react-query';
import { reasonOf } from '#lib/reason.ts';
import { ReloadingQueryClient } from '#lib/topics.ts';
import { toast } from '#ui/toast.ts';
import { showError } from './errors.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `quiet`: the page shows the failure itself, or nobody needs to see it. */
    queryMeta: { quiet?: boolean };
    /** `toast`: a failure is shown as a toast, with the text `failed` if the server gives no reason. */
    mutationMeta: { quiet?: boolean; toast?: { failed?: string | undefined } };
  }
}

/** Seconds that a page waits for an answer it may have later; a longer wait is for its reader to decide on. */
const LONGEST_WAIT_SECONDS = 60;
const MAX_WAITS = 3;

/** How long to wait before asking again; undefined for a failure that waiting does not help. */
const waitOf = (error: unknown): number | undefined =>
  error instanceof ApiError &&
  error.status === 429 &&
  (error.retryAfter ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT_SECONDS
    ? error.retryAfter
    : undefined;

/**
 * spec 9: stale after 10 s, no retry, no refetch on window focus. A failure nobody draws opens the error dialog. A read that was
 * rate limited is no failure yet: it is asked again when the server said so. Changes are never repeated.
 */
export const createQueryClient = () =>
  new ReloadingQueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta, state }) => {
        // The page still shows its last answer, and a strip above it says that the server cannot be reached.
        const outOfReach = error instanceof ApiError && error.status === 0 && state.data !== undefined;
        if (!meta?.quiet && !outOfReach) showError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        if (meta?.toast) toast.error(reasonOf(error, meta.toast.failed));
        else if (!meta?.quiet) showError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < MAX_WAITS && waitOf(error) !== undefined,
        retryDelay: (_, error) => (waitOf(error) ?? 0) * 1000,
        refetchOnWindowFocus: false,
      },
    },
  });

/** The app's one cache. */
export const queryClient = createQueryClient();
