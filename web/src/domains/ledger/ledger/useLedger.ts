import { listAnchorAttempts, listAnchors } from '@sightline/contract/ledger/anchors.ts';
import { getLedger } from '@sightline/contract/ledger/ledger.ts';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, keyOf } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

export const unreachable = 'The server could not be reached. Check your connection.';

export const useLedger = () => useQuery({ ...ask(getLedger, {}), meta: { quiet: true }, refetchInterval: 15_000 });

/** All of them: there are twenty at most. */
export const useAnchors = () => useQuery({ ...ask(listAnchors, { query: { perPage: 100 } }), meta: { quiet: true } });

/** Public keys of the witnesses that are named here. */
export function useWitnessKeys(): readonly string[] {
  const { data } = useAnchors();
  return (data?.rows ?? []).flatMap(({ settings }) => (typeof settings.key === 'string' ? [settings.key] : []));
}

/** A change of an anchor; whatever shows it asks again. A failure is told unless `quiet` says that the caller does. */
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
      if (!quiet) toast.error(reasonOf(error, unreachable));
    },
    onSettled: () =>
      Promise.all(
        [getLedger, listAnchors, listAnchorAttempts].map((each) =>
          queryClient.invalidateQueries({ queryKey: keyOf(each) }),
        ),
      ),
  });
}
