import {
  getOutgoingDelivery,
  getOutgoingWebhook,
  listOutgoingDeliveries,
  listOutgoingWebhooks,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

const shown = [listOutgoingWebhooks, getOutgoingWebhook, listOutgoingDeliveries, getOutgoingDelivery];

export const unreachable = 'The server could not be reached. Check your connection.';

/** A change of a webhook; whatever shows it asks again. A failure is told unless `quiet` says that the caller does. */
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
    onSettled: () => Promise.all(shown.map((each) => queryClient.invalidateQueries({ queryKey: keyOf(each) }))),
  });
}
