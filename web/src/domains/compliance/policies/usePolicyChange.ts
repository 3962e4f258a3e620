import { getPoliciesStatus, getPolicy, listPolicies } from '@sightline/contract/compliance/policies.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';

/**
 * Changes a policy. Refetches all policies, also after a failure, because another user may have changed them first.
 * Both callbacks also run after the page is closed, as Undo requires; callbacks of `mutate` would not.
 */
export function usePolicyChange<Input, Outcome>(
  change: (input: Input) => Promise<Outcome>,
  onSuccess: (outcome: Outcome, input: Input) => void,
  onError?: (error: Error) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { quiet: true },
    onSuccess,
    ...(onError && { onError }),
    onSettled: () => {
      for (const endpoint of [listPolicies, getPolicy, getPoliciesStatus]) {
        void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
      }
    },
  });
}
