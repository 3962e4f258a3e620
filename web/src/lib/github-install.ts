import { initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from './api.ts';

/** Starts the installation of the GitHub app; GitHub sends the person back to `redirectURL`, a path of this site. */
export function useGithubInstall(redirectURL: string, { quiet = false } = {}) {
  const install = useMutation({
    mutationFn: () => call(initiateGithubInstall, { query: { redirectURL } }),
    onSuccess: ({ installationURL }) => window.location.assign(installationURL),
    meta: { quiet },
  });
  // Until the browser has left, a second click would start a second installation.
  return { start: () => install.mutate(), leaving: install.isPending || install.isSuccess, error: install.error };
}
