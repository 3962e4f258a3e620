import { listAnchorAttempts, listAnchors } from '@sightline/contract/ledger/anchors.ts';
import { getLedger } from '@sightline/contract/ledger/ledger.ts';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endpointQuery, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

export const unreachable = 'The server could not be reached. Check your connection.';

export const useLedger = () =>
  useQuery({ ...endpointQuery(getLedger, {}), meta: { quiet: true }, refetchInterval: 15_000 });

/** Fetches all anchors; the maximum is 20. */
export const useAnchors = () =>
  useQuery({ ...endpointQuery(listAnchors, { query: { perPage: 100 } }), meta: { quiet: true } });

/** Returns the public keys of the configured witnesses. */
export function useWitnessKeys(): readonly string[] {
  const { data } = useAnchors();
  return (data?.rows ?? []).flatMap(({ settings }) => (typeof settings.key === 'string' ? [settings.key] : []));
}

/** Changes an anchor and refetches the ledger. Shows failures unless `quiet` leaves that to the caller. */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone: (output: Output, input: Input) => void,
  { quiet = false }: { quiet?: boolean } = {},
): UseMutationResult<Output, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { quiet: true },
    onSuccess: onDone,
    onError: (error) => {
      if (!quiet) toast.error(errorMessageOf(error, unreachable));
    },
    onSettled: () =>
      Promise.all(
        [getLedger, listAnchors, listAnchorAttempts].map((each) =>
          queryClient.invalidateQueries({ queryKey: keyOf(each) }),
        ),
      ),
  });
}
