import { listAuditStreams } from '@sightline/contract/audit-streams.ts';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';
import { GivenUp, useDelicate } from '#lib/delicate.ts';
import { reasonOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

const unreachable = 'The server could not be reached. Check your connection.';

interface Options {
  /** The caller shows a failure itself. */
  quiet?: boolean;
}

/** A change of a destination, which may ask people to confirm that it is them; the list is asked for again. */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone: (output: Output, input: Input) => void,
  { quiet = false }: Options = {},
): UseMutationResult<Output, Error, Input> {
  const queryClient = useQueryClient();
  const delicate = useDelicate();
  return useMutation({
    mutationFn: (input: Input) => delicate(() => change(input)),
    meta: { quiet: true },
    onSuccess: onDone,
    onError: (error) => {
      if (!quiet && !(error instanceof GivenUp)) toast.error(reasonOf(error, unreachable));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(listAuditStreams) }),
  });
}

/** Why a change failed, for its dialog; nothing where the person did not want to confirm that it is them. */
export const problemOf = (error: Error | null): string | undefined =>
  error === null || error instanceof GivenUp ? undefined : reasonOf(error, unreachable);
