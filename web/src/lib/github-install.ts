import { initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from './api.ts';

/** Starts the installation of the GitHub app. GitHub redirects back to `redirectURL`, a path of this site. */
export function useGithubInstall(redirectURL: string, { quiet = false } = {}) {
  const install = useMutation({
    mutationFn: () => call(initiateGithubInstall, { query: { redirectURL } }),
    onSuccess: ({ installationURL }) => window.location.assign(installationURL),
    meta: { quiet },
  });
  // Disabled until the browser has navigated, since a second click would start another installation.
  return { start: () => install.mutate(), leaving: install.isPending || install.isSuccess, error: install.error };
}
