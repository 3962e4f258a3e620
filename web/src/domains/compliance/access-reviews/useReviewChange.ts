import {
  getAccessReview,
  listAccessReviewItems,
  listAccessReviews,
} from '@sightline/contract/compliance/access-reviews.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

/** Changes a review. Also refetches it after a failure, because another reviewer may have changed it first. */
export function useReviewChange<Input>(change: (input: Input) => Promise<unknown>, failed: string, done: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { quiet: true },
    onSuccess: done,
    onError: (error) => toast.error(errorMessageOf(error, failed)),
    onSettled: () =>
      Promise.all(
        [listAccessReviews, getAccessReview, listAccessReviewItems].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
        ),
      ),
  });
}
