import { listAuditStreams } from '@sightline/contract/organization/audit-streams.ts';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

const unreachable = 'The server could not be reached. Check your connection.';

interface ChangeOptions {
  /** The caller shows a failure itself. */
  quiet?: boolean;
}

/** A change of a destination; the list is asked for again. */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  onDone: (output: Output, input: Input) => void,
  { quiet = false }: ChangeOptions = {},
): UseMutationResult<Output, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { quiet: true },
    onSuccess: onDone,
    onError: (error) => {
      if (!quiet) toast.error(errorMessageOf(error, unreachable));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(listAuditStreams) }),
  });
}

/** Why a change failed, for its dialog. */
export const problemOf = (error: Error | null): string | undefined =>
  error === null ? undefined : errorMessageOf(error, unreachable);
