import { listWaivers } from '@sightline/contract/vulnerabilities/exceptions.ts';
import { getFinding } from '@sightline/contract/vulnerabilities/findings.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';

/**
 * A decision under way; what it makes old is asked for again, also when it fails: then somebody else may have been first. Both
 * callbacks also run after the dialog is closed: those passed to `mutate` would not.
 */
export function useLeaveChange<Input, Outcome>(
  change: (input: Input) => Promise<Outcome>,
  onSuccess: (outcome: Outcome) => void,
  onError?: (error: Error) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { quiet: true },
    onSuccess,
    ...(onError && { onError }),
    onSettled: () => {
      for (const endpoint of [listWaivers, getFinding]) {
        void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
      }
    },
  });
}
