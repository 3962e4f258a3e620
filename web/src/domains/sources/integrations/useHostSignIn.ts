import { authorizeHost, type ConnectableHost } from '@sightline/contract/sources/host-connections.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { categoryPath } from './categories.ts';
import { storeReturnPath, useReturnPath } from './setupAddress.ts';

/** Starts the sign-in at a code host, which redirects to the selection of groups. */
export function useHostSignIn(provider: ConnectableHost) {
  const path = useReturnPath();
  const redirectURL = `${categoryPath('source-code-management')}${stringifySearch({ setup: provider, path })}`;
  const signIn = useMutation({
    mutationFn: () => call(authorizeHost, { params: { provider }, query: { redirectURL } }),
    onSuccess: ({ authorizationURL }) => {
      storeReturnPath(provider, redirectURL);
      window.location.assign(authorizationURL);
    },
    meta: { quiet: true },
  });
  // Pending until the browser leaves, because a second click would start a second sign-in.
  return { start: () => signIn.mutate(), leaving: signIn.isPending || signIn.isSuccess, error: signIn.error };
}
