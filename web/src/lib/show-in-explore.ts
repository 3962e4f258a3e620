import { type ContextSubject, makeContext } from '@sightline/contract/timeline/explore.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from './api.ts';

/** Opens Explore on something. What is asked of the timeline is kept first, so that the address can name it. */
export const useShowInExplore = (navigate: (href: string) => void) =>
  useMutation({
    mutationFn: (subject: ContextSubject) => call(makeContext, { body: subject }),
    onSuccess: ({ contextId }) => navigate(`/explore?context=${contextId}`),
  });
