import { getPoliciesStatus, getPolicy, listPolicies } from '@sightline/contract/compliance/policies.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';

/**
 * A change of a policy; whatever shows policies asks again, also when it fails: then somebody else may have been first. Both
 * callbacks also run after the page is closed, as Undo needs: those passed to `mutate` would not.
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
