import {
  getEvidenceDelivery,
  getEvidenceDestination,
  listEvidenceDeliveries,
  listEvidenceDestinations,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';
import { unreachable } from './words.ts';

/** A change of a destination; whatever shows it asks again. A failure is told unless `quiet` says that the caller does. */
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
        [listEvidenceDestinations, getEvidenceDestination, listEvidenceDeliveries, getEvidenceDelivery].map((each) =>
          queryClient.invalidateQueries({ queryKey: keyOf(each) }),
        ),
      ),
  });
}
