import { type ContextSubject, createContext } from '@sightline/contract/timeline/explore.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from './api.ts';

/** Opens Explore for an object. Saves the query as a context first, so that the URL can refer to it. */
export const useShowInExplore = (navigate: (href: string) => void) =>
  useMutation({
    mutationFn: (subject: ContextSubject) => call(createContext, { body: subject }),
    onSuccess: ({ contextId }) => navigate(`/explore?context=${contextId}`),
  });
