import { ApiError } from '@sightline/contract/core/client.ts';
import { MutationCache, QueryCache } from '@tanstack/react-query';
import { errorMessageOf } from '#lib/reason.ts';
import { ReloadingQueryClient } from '#lib/topics.ts';
import { toast } from '#ui/toast.ts';
import { showError } from './errors.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `quiet`: the page shows the failure itself, or it can be ignored. */
    queryMeta: { quiet?: boolean };
    /** `toast`: a failure is shown as a toast, with the text `failed` if the server gives no reason. */
    mutationMeta: { quiet?: boolean; toast?: { failed?: string | undefined } };
  }
}

/** Maximum number of seconds that a page waits to retry automatically. The user decides on longer delays. */
const LONGEST_WAIT_SECONDS = 60;
const MAX_WAITS = 3;

/**
 * The seconds before a retry; undefined if a retry does not help. A refusal that says what to change, such as that of a query which
 * used too much database time, is shown instead.
 */
const waitOf = (error: unknown): number | undefined =>
  error instanceof ApiError &&
  error.status === 429 &&
  error.refusal?.cause === undefined &&
  (error.retryAfter ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT_SECONDS
    ? error.retryAfter
    : undefined;

/**
 * Spec 9: stale after 10 s, no retry, no refetch on window focus. A failure that no page shows opens the error dialog.
 * A rate limited query is repeated after the delay of the server, unless the refusal advises a change. Mutations are never repeated.
 */
export const createQueryClient = () =>
  new ReloadingQueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta, state }) => {
        // The page still shows its last response, and a strip above it reports that the server is unreachable.
        const isUnreachable = error instanceof ApiError && error.status === 0 && state.data !== undefined;
        if (!meta?.quiet && !isUnreachable) showError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        if (meta?.toast) toast.error(errorMessageOf(error, meta.toast.failed));
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

/** The only query cache of the app. */
export const queryClient = createQueryClient();
