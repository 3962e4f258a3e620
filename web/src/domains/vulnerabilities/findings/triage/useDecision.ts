import { listWaivers } from '@sightline/contract/vulnerabilities/exceptions.ts';
import {
  getFinding,
  getFindingNeighbors,
  getFindingStats,
  listFindingFilter,
  listFindings,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';

const affected = [listFindings, listFindingFilter, getFindingStats, getFinding, getFindingNeighbors, listWaivers];

/**
 * Saves a decision and refetches affected queries, also after a failure, because another user may have decided first.
 * Both callbacks also run after the dialog is closed, as Undo requires; callbacks of `mutate` would not.
 */
export function useDecision<Input, Outcome>(
  decide: (input: Input) => Promise<Outcome>,
  onSuccess?: (outcome: Outcome, input: Input) => void,
  onError?: (error: Error) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    meta: { quiet: true },
    onSuccess: (outcome, input) => onSuccess?.(outcome, input),
    ...(onError && { onError }),
    onSettled: () => {
      for (const endpoint of affected) void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
    },
  });
}
